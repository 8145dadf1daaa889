import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams, useSearchParams } from 'wouter';
import type { Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { Answered } from '../../shared/answered';
import { Disclosure } from '../../shared/disclosure';
import { Editing } from '../../shared/editing';
import { JsonView } from '../../shared/json-view';
import { Section } from '../../shared/section';
import { Time } from '../../shared/time';
import { Differences } from './differences';
import { contentOf } from './plan-content';
import { PlanFrame } from './plan-frame';
import { RestoreVersion } from './restore-version';
import { usePlan, useVersion, useVersions } from './use-plan';

type Plan = Dto['TrackingPlanDto'];
type Version = Dto['TrackingPlanVersionDto'];

/** A tracking plan as it was in a version: what it asked of events, and in what it differs from another version. */
export function VersionPage(): ReactNode {
  const { version = '' } = useParams();
  return (
    <PlanFrame part={`version ${version}`}>{(plan) => <Found plan={plan} version={version} />}</PlanFrame>
  );
}

interface FoundProps {
  readonly plan: Plan;
  readonly version: string;
}

function Found({ plan, version: number }: FoundProps): ReactNode {
  const mayWrite = useCan('write');
  const { refetch } = usePlan(plan.id);
  return (
    <Answered query={useVersion(plan.id, number)}>
      {(version) => (
        <Stack gap="lg">
          <Group justify="space-between">
            <Text size="sm" component="div">
              {version.version === plan.version ? 'In force since' : 'It was in force from'}{' '}
              <Time at={version.createdAt} />
              {version.version === plan.version ? '.' : ' on.'}
            </Text>
            {mayWrite && version.version !== plan.version && (
              <Editing refetch={refetch}>
                {(edited) => <RestoreVersion edited={edited} version={version} />}
              </Editing>
            )}
          </Group>
          <Section title="What is different">
            <Compared planId={plan.id} version={version} />
          </Section>
          <Disclosure summary="What it says, as JSON">
            <JsonView name="the rules" value={contentOf(version)} />
          </Disclosure>
        </Stack>
      )}
    </Answered>
  );
}

interface ComparedProps {
  readonly planId: string;
  readonly version: Version;
}

/** Compares a version with one that the person chooses; to begin with, the one before it. */
function Compared({ planId, version }: ComparedProps): ReactNode {
  const [search, setSearch] = useSearchParams();
  return (
    <Answered query={useVersions(planId)}>
      {(all) => {
        const others = all.map((one) => one.version).filter((one) => one !== version.version);
        const chosen = search.get('with') ?? others.find((one) => one < version.version) ?? others.at(-1);
        if (chosen === undefined) return <Text size="sm">There is no other version.</Text>;
        return (
          <Stack gap="sm">
            <NativeSelect
              label="Compared with"
              maw={240}
              data={others.map((one) => ({ value: String(one), label: `Version ${one}` }))}
              value={String(chosen)}
              onChange={({ currentTarget }) => setSearch({ with: currentTarget.value })}
            />
            <ComparedWith planId={planId} version={version} other={String(chosen)} />
          </Stack>
        );
      }}
    </Answered>
  );
}

interface ComparedWithProps extends ComparedProps {
  readonly other: string;
}

/** From the older to the newer one, whichever of them was chosen. */
function ComparedWith({ planId, version, other }: ComparedWithProps): ReactNode {
  return (
    <Answered query={useVersion(planId, other)}>
      {(found) => {
        const [before, after] = found.version < version.version ? [found, version] : [version, found];
        return <Differences before={before} after={after} />;
      }}
    </Answered>
  );
}
