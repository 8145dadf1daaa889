import { Code, Group, SegmentedControl, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useSearchParams } from 'wouter';
import { api, bodyOf, type Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import { type Column, DataTable } from '../../shared/data-table';
import { eventProblemWords } from '../../shared/event-problem-words';
import { ValueAt } from '../../shared/plan-verdict';
import { Section } from '../../shared/section';
import { SourceLink } from '../../shared/source-link';
import { StatusBadge } from '../../shared/status-badge';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';

const HOUR_MS = 3_600_000;

interface Span {
  readonly value: string;
  readonly label: string;
  readonly ms: number;
  readonly lookEveryMs: number;
}

const LAST_HOUR: Span = { value: 'hour', label: 'Hour', ms: HOUR_MS, lookEveryMs: 5_000 };
/** They are counted for 31 days; what is summed up for longer is read less often. */
const SPANS: readonly Span[] = [
  LAST_HOUR,
  { value: 'day', label: 'Day', ms: 24 * HOUR_MS, lookEveryMs: 30_000 },
  { value: 'week', label: '7 days', ms: 7 * 24 * HOUR_MS, lookEveryMs: 60_000 },
  { value: 'month', label: '31 days', ms: 31 * 24 * HOUR_MS, lookEveryMs: 60_000 },
];

type Violation = Dto['ViolationDto'];

/** In what events differed from a plan, most first, each with some of the events. */
export function Violations({ planId }: { readonly planId: string }): ReactNode {
  const [search, setSearch] = useSearchParams();
  const span = SPANS.find(({ value }) => value === search.get('span')) ?? LAST_HOUR;
  const violations = useQuery({
    queryKey: ['tracking-plans', planId, 'violations', span.value],
    queryFn: () => {
      const from = new Date(Date.now() - span.ms).toISOString();
      const params = { path: { id: planId }, query: { from } };
      return bodyOf(api.GET('/tracking-plans/{id}/violations', { params }));
    },
    refetchInterval: span.lookEveryMs,
  });
  return (
    <Section
      title="In what events differed"
      actions={
        <SegmentedControl
          aria-label="Time until now"
          value={span.value}
          onChange={(chosen) => setSearch({ span: chosen }, { replace: true })}
          data={SPANS.map(({ value, label }) => ({ value, label }))}
        />
      }
    >
      <Answered query={violations}>
        {(rows) => (
          <DataTable
            label="Violations"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ sourceId, rule, path, code, keyword }) =>
              [sourceId, rule, path, code, keyword].join(' ')
            }
            empty="All events were as planned, or no source had this plan."
          />
        )}
      </Answered>
    </Section>
  );
}

const COLUMNS: readonly Column<Violation>[] = [
  { title: 'Source', breaks: true, cell: ({ sourceId }) => <SourceLink id={sourceId} /> },
  { title: 'Rule', breaks: true, cell: ({ rule }) => rule },
  { title: 'What is wrong', breaks: true, cell: (violation) => <WhatIsWrong {...violation} /> },
  { title: 'Times', cell: ({ count }) => count.toLocaleString(), align: 'right' },
  { title: 'Outcome', cell: (violation) => <Outcomes {...violation} /> },
  { title: 'Last', cell: ({ lastAt }) => <Time at={lastAt} /> },
  { title: 'Events, such as', cell: (violation) => <Samples {...violation} /> },
];

/** Member and words in one cell: beside each other the two were columns of a word a line. */
function WhatIsWrong({ path, code, keyword }: Violation): ReactNode {
  return (
    <>
      {path === '' ? 'The whole event' : <Code>{path}</Code>}: {eventProblemWords(code)}{' '}
      {keyword !== null && <Code>{keyword}</Code>}
    </>
  );
}

const OUTCOMES = [
  { outcome: 'rejected', tone: 'bad', word: 'Rejected' },
  { outcome: 'quarantined', tone: 'warning', word: 'Quarantined' },
  { outcome: 'accepted', tone: 'warning', word: 'Accepted with violations' },
] as const;

/** What became of the events; how many of them where it was not the same for all. */
function Outcomes({ count, counts }: Violation): ReactNode {
  const known = OUTCOMES.map((one) => ({ ...one, times: counts[one.outcome] }));
  const unknown = count - known.reduce((sum, { times }) => sum + times, 0);
  const all = [...known, { outcome: 'unknown', tone: 'neutral', word: 'Not known', times: unknown } as const];
  return (
    <Group gap={4}>
      {all
        .filter(({ times }) => times > 0)
        .map(({ outcome, tone, word, times }) => (
          <StatusBadge key={outcome} tone={tone}>
            {times === count ? word : `${word}: ${times.toLocaleString()}`}
          </StatusBadge>
        ))}
    </Group>
  );
}

/** What was rejected has no id of an event: the page of rejected events has it. What older releases counted may be. */
function Samples({ sourceId, code, path, count, counts, samples }: Violation): ReactNode {
  if (samples.length === 0) {
    return counts.accepted + counts.quarantined === count ? (
      'none that is still there'
    ) : (
      <To href={`/events/rejected?${new URLSearchParams({ sourceId, code }).toString()}`}>rejected events</To>
    );
  }
  return samples.map((sample) => (
    <Text key={sample.eventId} size="sm" component="div">
      <SampleEvent sample={sample} /> <ValueAt event={sample.event} path={path} />
    </Text>
  ));
}

/** By an id that it is found by: among the quarantined events, the accepted ones, or as it was stored. */
function SampleEvent({ sample }: { readonly sample: Violation['samples'][number] }): ReactNode {
  const { eventId, messageId, quarantined } = sample;
  if (messageId === null) {
    return (
      <>
        Event id <To href={`/events/${eventId}`}>{eventId}</To>.
      </>
    );
  }
  const listing = quarantined ? '/events/quarantined' : '/events';
  const found = new URLSearchParams({ messageId }).toString();
  return (
    <>
      {quarantined ? 'Quarantined' : 'Accepted'}, message id <To href={`${listing}?${found}`}>{messageId}</To>
      .
    </>
  );
}
