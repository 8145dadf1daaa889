import { Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { BeforeAndAfter } from '../../shared/before-and-after';
import { FieldChanges } from '../../shared/field-changes';
import type { JsonDifference } from '../../shared/json-differences';
import { JsonView } from '../../shared/json-view';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';
import { Actor } from './actor';
import { actionInWords, KINDS } from './audit-words';
import { changesOf, saysOf } from './changes-of';

const MAX_NAMED = 3;
/** A description may be long; all of it is behind the button. */
const MAX_LINES = 4;

interface EntryProps {
  readonly entry: Dto['AuditEntryDto'];
}

/** Which members a change has made others, or what it has made, and a button that leads to what they were and are. */
export function EntryDetails({ entry }: EntryProps): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  const { action, resource, resourceId, resourceName } = entry;
  const title = `${actionInWords(action)}: ${KINDS[resource]} ${resourceName ?? resourceId}`;
  const changes = changesOf(entry);
  const told = changes.length > 0 ? changes.map(({ path }) => path) : saysOf(entry);
  return (
    <>
      <Stack gap={4} align="flex-start">
        {told.length > 0 && (
          <Text size="sm" lineClamp={MAX_LINES} style={{ overflowWrap: 'anywhere' }}>
            {firstOf(told)}
          </Text>
        )}
        <Button size="compact-sm" variant="default" onClick={open} aria-label={`Show: ${title}`}>
          Show
        </Button>
      </Stack>
      <Modal
        opened={opened}
        onClose={close}
        size="xl"
        title={title}
        styles={{ title: { overflowWrap: 'anywhere' } }}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <Stack>
          <Circumstances entry={entry} />
          <States entry={entry} changes={changes} />
          <More entry={entry} onFollow={close} />
        </Stack>
      </Modal>
    </>
  );
}

function firstOf(told: readonly string[]): string {
  const named = told.slice(0, MAX_NAMED);
  const left = told.length - named.length;
  return `${named.join(', ')}${left > 0 ? ` and ${left.toLocaleString()} more` : ''}`;
}

/** Who, when, and what the log knows it by. */
function Circumstances({ entry }: EntryProps): ReactNode {
  const { at, actorIssuer, resourceId, requestId } = entry;
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      By <Actor entry={entry} />
      {actorIssuer !== null && `, vouched for by ${actorIssuer}`}, <Time at={at} />.{' '}
      {resourceId !== '' && (
        <>
          Id <Code>{resourceId}</Code>,{' '}
        </>
      )}
      request <Code>{requestId}</Code>.
    </Text>
  );
}

interface StatesProps extends EntryProps {
  readonly changes: readonly JsonDifference[];
}

/** What was before a change and after it. */
function States({ entry: { before, after }, changes }: StatesProps): ReactNode {
  if (before === null && after === null) return <Text size="sm">Nothing else is noted.</Text>;
  if (before === null) return <JsonView name="after" value={after} />;
  if (after === null) return <JsonView name="before" value={before} />;
  return (
    <>
      <FieldChanges changes={changes} />
      {changes.length === 0 && <Text size="sm">Only what is hidden has changed.</Text>}
      <BeforeAndAfter before={before} after={after} />
    </>
  );
}

interface MoreProps extends EntryProps {
  readonly onFollow: () => void;
}

/** The searches that an entry gives rise to. */
function More({ entry: { actor, resource, resourceId }, onFollow }: MoreProps): ReactNode {
  return (
    <Group gap="md" fz="sm">
      {resourceId !== '' && (
        <To href={pathOf({ resource, resourceId })} onFollow={onFollow}>
          All that was done to it
        </To>
      )}
      <To href={pathOf({ actor })} onFollow={onFollow}>
        All that {actor} did
      </To>
    </Group>
  );
}

function pathOf(filters: Readonly<Record<string, string>>): string {
  return `/audit?${new URLSearchParams(filters).toString()}`;
}
