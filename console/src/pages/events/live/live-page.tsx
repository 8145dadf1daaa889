import { Button, Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSegments } from '../../../api/all-of';
import { type Column, DataTable } from '../../../shared/data-table';
import { type Filter, Filters, useFilterValues } from '../../../shared/filters';
import { howMany } from '../../../shared/how-many';
import { Page } from '../../../shared/page';
import { PersonLink } from '../../../shared/person-link';
import { violationsOf } from '../../../shared/plan-verdict';
import { ProblemAlert } from '../../../shared/problem-alert';
import { SourceLink } from '../../../shared/source-link';
import { EVENT_OUTCOMES, VIOLATING } from '../../../shared/states';
import { StatusBadge } from '../../../shared/status-badge';
import { Time } from '../../../shared/time';
import { To } from '../../../shared/to';
import { useEventFilters } from '../event-filters';
import { EventsNavigation } from '../events-navigation';
import { rejectedName } from '../rejected-name';
import { personOfTailed } from './person-of-tailed';
import { MAX_SHOWN, OUTCOMES, type Tailed } from './tail-list';
import { type Tail, type TailQuery, useTail } from './use-tail';

type TailFilter =
  'outcome' | 'sourceId' | 'type' | 'name' | 'userId' | 'anonymousId' | 'segmentId' | 'filter';

/** Events as they come in. */
export function LivePage(): ReactNode {
  const filters = useTailFilters();
  // The service refuses what the address has wrong, and says what.
  const query = useFilterValues(filters) as TailQuery;
  return (
    <Page title="Live events">
      <EventsNavigation />
      <Filters filters={filters} action="Watch" />
      <LiveEvents key={JSON.stringify(query)} query={query} />
    </Page>
  );
}

function LiveEvents({ query }: { readonly query: TailQuery }): ReactNode {
  const tail = useTail(query);
  return (
    <>
      <Controls tail={tail} />
      {tail.error !== undefined && <ProblemAlert error={tail.error} />}
      <DataTable
        label="Live events"
        columns={COLUMNS}
        rows={tail.list.shown}
        rowKey={({ event }) => event.id}
        empty="Nothing has come in since you look."
      />
    </>
  );
}

/** What filters of destinations ask for, and what became of the events. */
function useTailFilters(): readonly Filter<TailFilter>[] {
  const segments = useSegments().data ?? [];
  const shared = useEventFilters().flatMap((filter) =>
    filter.name === 'sourceId' || filter.name === 'type' ? [{ ...filter, name: filter.name }] : [],
  );
  return [
    {
      name: 'outcome',
      label: 'Outcome',
      kind: OUTCOMES.map((outcome) => ({ value: outcome, label: EVENT_OUTCOMES[outcome].word })),
    },
    ...shared,
    { name: 'name', label: 'Name (* is anything)' },
    { name: 'userId', label: 'User id' },
    { name: 'anonymousId', label: 'Anonymous id' },
    {
      name: 'segmentId',
      label: 'People in segment',
      kind: segments.map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: 'filter', label: 'Filter of a destination, as JSON' },
  ];
}

const STATES = {
  connecting: { tone: 'warning', children: 'Connecting' },
  listening: { tone: 'good', children: 'Listening' },
  ended: { tone: 'bad', children: 'Ended' },
} as const;

function Controls({ tail }: { readonly tail: Tail }): ReactNode {
  const { list, state, pause, resume, clear, listenAgain } = tail;
  return (
    <Group gap="xs">
      <span aria-live="polite">
        <StatusBadge {...STATES[state]} />
      </span>
      {state === 'ended' && <Button onClick={listenAgain}>Listen again</Button>}
      <Button variant="default" onClick={list.isPaused ? resume : pause}>
        {list.isPaused ? 'Go on' : 'Pause'}
      </Button>
      <Button variant="default" onClick={clear}>
        Clear the list
      </Button>
      <Text size="sm">
        {list.isPaused && `Paused: ${list.waiting.length.toLocaleString()} more came since. `}
        {list.leftOut > 0 &&
          `${howMany(list.leftOut, 'was', 'were')} left out: at most 50 a second are shown. `}
        {list.notKept > 0 &&
          `${howMany(list.notKept, 'was', 'were')} not kept: the list has the latest ${MAX_SHOWN}.`}
      </Text>
    </Group>
  );
}

const COLUMNS: readonly Column<Tailed>[] = [
  { title: 'Received', cell: ({ event }) => <Time at={event.receivedAt} /> },
  {
    title: 'Outcome',
    cell: (tailed) => <OutcomeBadge tailed={tailed} />,
  },
  { title: 'Event', breaks: true, cell: (tailed) => <Event tailed={tailed} /> },
  { title: 'Type', cell: ({ event }) => event.type },
  {
    title: 'Person',
    breaks: true,
    cell: (tailed) => <PersonLink {...personOfTailed(tailed)} />,
  },
  { title: 'Source', breaks: true, cell: ({ event }) => <SourceLink id={event.sourceId} /> },
];

function OutcomeBadge({ tailed: { outcome, event } }: { readonly tailed: Tailed }): ReactNode {
  const isViolating = outcome === 'accepted' && violationsOf(event.payload).length > 0;
  const { tone, word } = isViolating ? VIOLATING : EVENT_OUTCOMES[outcome];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}

/** An accepted one leads to its way, another one to what is wrong with it. */
function Event({ tailed }: { readonly tailed: Tailed }): ReactNode {
  return (
    <>
      <To href={placeOf(tailed)}>{nameOf(tailed)}</To>{' '}
      {wrongWith(tailed).map((what, index) => (
        <Code key={index}>{what}</Code>
      ))}
    </>
  );
}

function placeOf({ outcome, event }: Tailed): string {
  if (outcome === 'accepted') return `/events/${event.id}`;
  const { messageId, sourceId } = event;
  const search = new URLSearchParams(messageId === null ? { sourceId } : { messageId });
  return `/events/${outcome}?${search.toString()}`;
}

function nameOf({ outcome, event }: Tailed): string {
  return outcome === 'rejected' ? rejectedName(event) : (event.name ?? event.type);
}

function wrongWith({ outcome, event }: Tailed): readonly string[] {
  if (outcome === 'quarantined') return event.codes;
  const problems = outcome === 'accepted' ? violationsOf(event.payload) : event.problems;
  return problems.map(({ code, path }) => [code, path].join(' ').trim());
}
