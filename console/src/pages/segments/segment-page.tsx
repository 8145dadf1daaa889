import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { AnsweredPage } from '../../shared/answered-page';
import { Disclosure } from '../../shared/disclosure';
import { type Filter, Filters, useFilterValues } from '../../shared/filters';
import { JsonView } from '../../shared/json-view';
import { PlacesInWords } from '../../shared/place-words';
import { Section } from '../../shared/section';
import { Explanation } from '../../shared/segments/explanation';
import { Warnings } from '../../shared/segments/warnings';
import { Time } from '../../shared/time';
import { Computing } from './computing';
import { Members } from './members';
import { readRules } from './rules/read-rules';
import { rulePlaceWords } from './rules/rule-place-words';
import { RulesInWords } from './rules-in-words';
import { SegmentActions } from './segment-actions';
import { useSegment, useSegmentWarnings } from './use-segment';
import { WhoAsks } from './who-asks';

const FILTERS: readonly Filter<'userId'>[] = [{ name: 'userId', label: 'User id' }];

/** One segment: its rules, who is in it, and why. */
export function SegmentPage(): ReactNode {
  const { id = '' } = useParams();
  const mayWrite = useCan('write');
  return (
    <AnsweredPage
      query={useSegment(id)}
      fallbackTitle="Segment"
      title={({ name }) => name}
      actions={(segment) => mayWrite && <SegmentActions segment={segment} />}
    >
      {(segment) => <FoundSegment segment={segment} />}
    </AnsweredPage>
  );
}

function FoundSegment({ segment }: { readonly segment: Dto['SegmentDto'] }): ReactNode {
  const { id, description, match, rules, createdAt, updatedAt } = segment;
  const { userId } = useFilterValues(FILTERS);
  const { data: warnings = [] } = useSegmentWarnings(id);
  const read = readRules(rules, match);
  return (
    <>
      <Computing segment={segment} />
      {description !== '' && <Text>{description}</Text>}
      <Text size="sm" component="div">
        Created <Time at={createdAt} />, changed <Time at={updatedAt} />.
      </Text>
      <Section title="Rules">
        <RulesInWords match={match} rules={rules} />
        <PlacesInWords words={(path) => read && rulePlaceWords(path, read)}>
          <Warnings warnings={warnings} />
        </PlacesInWords>
        <Disclosure summary="As JSON">
          <JsonView name="the rules" value={{ match, rules }} />
        </Disclosure>
      </Section>
      <Section title="Why is somebody in it, or not?">
        <Stack>
          <Filters filters={FILTERS} action="Explain" />
          {userId !== undefined && (
            <div key={userId} ref={turnTo} tabIndex={-1}>
              <Explanation segmentId={id} userId={userId} />
            </div>
          )}
        </Stack>
      </Section>
      <WhoAsks id={id} />
      <Section title="Members">
        <Members segment={segment} />
      </Section>
    </>
  );
}

/** Whoever asked for it in a long list of members may be far below. */
function turnTo(element: HTMLElement | null): void {
  element?.focus();
}
