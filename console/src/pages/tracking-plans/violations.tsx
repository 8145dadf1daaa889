import { Code } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { type Column, DataTable } from '../../shared/data-table';
import { eventProblemWords } from '../../shared/event-problem-words';
import { SourceName } from '../../shared/source-name';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';

const LOOK_EVERY_MS = 5_000;

type Violation = Dto['ViolationDto'];

/** In what events differed from a plan, most first, each with some of the events. */
export function Violations({ planId }: { readonly planId: string }): ReactNode {
  const violations = useQuery({
    queryKey: ['tracking-plans', planId, 'violations'],
    queryFn: () => bodyOf(api.GET('/tracking-plans/{id}/violations', { params: { path: { id: planId } } })),
    refetchInterval: LOOK_EVERY_MS,
  });
  return (
    <Answered query={violations}>
      {(rows) => (
        <DataTable
          label="Violations"
          columns={COLUMNS}
          rows={rows}
          rowKey={({ sourceId, rule, path, code, keyword }) =>
            [sourceId, rule, path, code, keyword].join(' ')
          }
          empty="All events were as planned, or no source has this plan."
        />
      )}
    </Answered>
  );
}

const COLUMNS: readonly Column<Violation>[] = [
  { title: 'Source', cell: ({ sourceId }) => <SourceName id={sourceId} /> },
  { title: 'Rule', cell: ({ rule }) => rule },
  { title: 'Member', cell: ({ path }) => (path === '' ? 'the whole event' : <Code>{path}</Code>) },
  {
    title: 'What is wrong',
    cell: ({ code, keyword }) =>
      keyword === null ? (
        eventProblemWords(code)
      ) : (
        <>
          {eventProblemWords(code)} <Code>{keyword}</Code>
        </>
      ),
  },
  { title: 'Events', cell: ({ count }) => count.toLocaleString(), align: 'right' },
  { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
  { title: 'Such as', cell: (violation) => <Samples {...violation} /> },
];

/** What was rejected has no id of an event: the page of rejected events has it. */
function Samples({ sourceId, code, samples }: Violation): ReactNode {
  if (samples.length === 0) {
    return (
      <To href={`/events/rejected?${new URLSearchParams({ sourceId, code }).toString()}`}>rejected events</To>
    );
  }
  return samples.map((sample, index) => (
    <span key={sample.eventId}>
      {index > 0 && ', '}
      <SampleLink sample={sample} />
    </span>
  ));
}

/** To where it is: among the quarantined events, or the accepted ones. */
function SampleLink({ sample }: { readonly sample: Violation['samples'][number] }): ReactNode {
  const { eventId, messageId, quarantined } = sample;
  if (messageId === null) return <To href={`/events/${eventId}`}>{eventId}</To>;
  const listing = quarantined ? '/events/quarantined' : '/events';
  return <To href={`${listing}?${new URLSearchParams({ messageId }).toString()}`}>{messageId}</To>;
}
