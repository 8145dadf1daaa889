import { Code, Group, Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { useList } from '../../api/use-list';
import type { Column } from '../../shared/data-table';
import { EventProblems } from '../../shared/event-problems';
import { type Filter, Filters, useFilterValues } from '../../shared/filters';
import { JsonText } from '../../shared/json-view';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { Section } from '../../shared/section';
import { SourceLink } from '../../shared/source-link';
import { Time } from '../../shared/time';
import { useEventFilters } from './event-filters';
import { EventsNavigation } from './events-navigation';
import { isOfHookRequest, RejectedHookRequest } from './rejected-hook-request';
import { rejectedName } from './rejected-name';
import { RejectedByCode } from '../../shared/rejected-by-code';

const PAGE_ROWS = 50;
const LOOK_EVERY_MS = 1_000;
/** What was rejected is listed within a few seconds. */
const LOOK_TIMES = 15;
const CODE: Filter<'code'> = { name: 'code', label: 'Code' };

type Rejected = Dto['RejectedEventDto'];

export function RejectedPage(): ReactNode {
  const filters = [...useEventFilters(), CODE];
  const values = useFilterValues(filters);
  const [shown, setShown] = useState<Rejected>();
  const list = useList(
    ['rejected-events', values],
    (cursor) =>
      pageOf(api.GET('/rejected-events', { params: { query: { ...values, limit: PAGE_ROWS, cursor } } })),
    // Who was just told of one, by an answer or live, is here before it is listed.
    ({ rows, times }) =>
      values.messageId !== undefined && rows.length === 0 && times < LOOK_TIMES && LOOK_EVERY_MS,
  );
  return (
    <Page title="Rejected events">
      <EventsNavigation />
      <Section title="In the last 24 hours, by code">
        <RejectedByCode />
      </Section>
      <Filters filters={filters} />
      <ListTable
        label="Rejected events"
        list={list}
        columns={columns(setShown)}
        rowKey={({ id }) => id}
        empty="No such event was rejected. Of each source, code and hour a hundred are kept; the counts have all."
      />
      <RejectedEvent rejected={shown} onClose={() => setShown(undefined)} />
    </Page>
  );
}

function columns(show: (rejected: Rejected) => void): readonly Column<Rejected>[] {
  return [
    { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
    {
      title: 'Event',
      breaks: true,
      cell: (rejected) => (
        <UnstyledButton
          c="var(--mantine-color-anchor)"
          td="underline"
          fz="inherit"
          onClick={() => show(rejected)}
        >
          {rejectedName(rejected)}
        </UnstyledButton>
      ),
    },
    { title: 'What is wrong', cell: ({ problems }) => <EventProblems problems={problems} /> },
    { title: 'Source', breaks: true, cell: ({ sourceId }) => <SourceLink id={sourceId} /> },
    { title: 'SDK', cell: ({ library, libraryVersion }) => [library, libraryVersion].join(' ') },
  ];
}

interface RejectedEventProps {
  readonly rejected: Rejected | undefined;
  readonly onClose: () => void;
}

/** What was sent, and what is wrong with it. */
function RejectedEvent({ rejected, onClose }: RejectedEventProps): ReactNode {
  return (
    <Modal
      opened={rejected !== undefined}
      onClose={onClose}
      size="xl"
      title="Rejected event"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {rejected !== undefined && (
        <Stack>
          <Group gap="xs">
            <Time at={rejected.receivedAt} /> <SourceLink id={rejected.sourceId} />
          </Group>
          <EventProblems problems={rejected.problems} />
          {rejected.messageId !== null && (
            <Text size="sm">
              Message id <Code>{rejected.messageId}</Code>
            </Text>
          )}
          {isOfHookRequest(rejected) ? (
            <RejectedHookRequest sourceId={rejected.sourceId} />
          ) : (
            <JsonText name="what was sent" text={rejected.payload} />
          )}
        </Stack>
      )}
    </Modal>
  );
}
