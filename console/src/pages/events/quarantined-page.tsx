import { Code, Group, Modal, Stack, Text, UnstyledButton } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { nameOf, useTrackingPlans } from '../../api/all-of';
import { api, bodyOf, type Dto, exactBodyOf, exactPageOf, type QueryOf } from '../../api/client';
import { useCan } from '../../api/me';
import { useList } from '../../api/use-list';
import { Answered } from '../../shared/answered';
import { BulkActions } from '../../shared/bulk-actions';
import { ConfirmButton } from '../../shared/confirm-button';
import { countedIn } from '../../shared/counted';
import type { Column } from '../../shared/data-table';
import { type Filter, Filters, useFilterValues } from '../../shared/filters';
import { FoundInWords } from '../../shared/found-in-words';
import { howMany } from '../../shared/how-many';
import { JsonView } from '../../shared/json-view';
import { ListTable } from '../../shared/list-table';
import { Page } from '../../shared/page';
import { PersonLink } from '../../shared/person-link';
import { PlanVerdict } from '../../shared/plan-verdict';
import { type Selection, useSelection } from '../../shared/selection';
import { SourceLink } from '../../shared/source-link';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';
import { useEventFilters } from './event-filters';
import { EventsNavigation } from './events-navigation';
import { personIn } from './person-in';

const PAGE_ROWS = 50;
const CODE: Filter<'code'> = { name: 'code', label: 'Code' };
/** Of one release, or one discard. */
const MOST = 10_000;

type Quarantined = Dto['QuarantinedEventDto'];
type Verb = 'release' | 'discard';

const DONE: Readonly<Record<Verb, string>> = { release: 'Released', discard: 'Discarded' };
type Search = Dto['SettleQuarantineDto'];

/** Events that tracking plans keep apart, until somebody lets them go on or discards them. */
export function QuarantinedPage(): ReactNode {
  const filters = [...useEventFilters(), CODE];
  // The service refuses what the address has wrong, and says what.
  const search = useFilterValues(filters) as Search & QueryOf<'/quarantined-events'>;
  const [shown, setShown] = useState<Quarantined>();
  const [isUnsearched, setUnsearched] = useState(false);
  const list = useList(['quarantined-events', search], (cursor) =>
    exactPageOf<Quarantined>(
      api.GET('/quarantined-events', {
        params: { query: { ...search, limit: PAGE_ROWS, cursor } },
        parseAs: 'text',
      }),
    ),
  );
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const selection = useSelection(rows, nameOfEvent);
  const mayWrite = useCan('write');
  return (
    <Page title="Quarantined events">
      <EventsNavigation />
      <Filters filters={filters} onUnsearched={setUnsearched} />
      {mayWrite && (
        <ListActions
          search={search}
          found={
            <>
              <FoundInWords what="quarantined events" filters={filters} values={search} /> (
              {countedIn(rows, list.hasNextPage)})
              {list.hasNextPage && `, the oldest ${MOST.toLocaleString()} if there are more`}
            </>
          }
          selection={selection}
          isEmpty={rows.length === 0}
          isUnsearched={isUnsearched}
        />
      )}
      <ListTable
        label="Quarantined events"
        list={list}
        columns={mayWrite ? [selection.column, ...columns(setShown)] : columns(setShown)}
        rowKey={({ id }) => id}
        empty="No such event is in quarantine."
      />
      <QuarantinedEvent event={shown} onClose={() => setShown(undefined)} />
    </Page>
  );
}

function nameOfEvent({ name, type, messageId }: Quarantined): string {
  return `${name ?? type}, message id ${messageId}`;
}

function columns(show: (event: Quarantined) => void): readonly Column<Quarantined>[] {
  return [
    { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
    {
      title: 'Event',
      breaks: true,
      cell: (event) => (
        <UnstyledButton
          c="var(--mantine-color-anchor)"
          td="underline"
          fz="inherit"
          onClick={() => show(event)}
        >
          {event.name ?? event.type}
        </UnstyledButton>
      ),
    },
    { title: 'Person', breaks: true, cell: ({ event }) => <PersonLink {...personIn(event)} /> },
    {
      title: 'What is wrong',
      cell: ({ event }) => <PlanVerdict event={event} />,
    },
    { title: 'Source', breaks: true, cell: ({ sourceId }) => <SourceLink id={sourceId} /> },
    { title: 'Plan', cell: (event) => <PlanVersion event={event} /> },
  ];
}

/** As it was when it kept the event apart. */
function PlanVersion({ event }: { readonly event: Quarantined }): ReactNode {
  const { trackingPlanId, trackingPlanVersion } = event;
  const plans = useTrackingPlans().data;
  return (
    <To href={`/tracking-plans/${trackingPlanId}/versions/${trackingPlanVersion}`}>
      {nameOf(plans, trackingPlanId)}, version {trackingPlanVersion}
    </To>
  );
}

interface ListActionsProps {
  readonly search: Search;
  /** What the search finds, in words. */
  readonly found: ReactNode;
  readonly selection: Selection<Quarantined>;
  readonly isEmpty: boolean;
  readonly isUnsearched: boolean;
}

/** What can be done to the events that are selected, or to all that the search finds, and what came of it. */
function ListActions({ search, found, selection, isEmpty, isUnsearched }: ListActionsProps): ReactNode {
  const [done, setDone] = useState<string>();
  const { ids, all, clear } = selection;
  const areSelected = ids.length > 0;
  const these = areSelected ? `${ids.length.toLocaleString()} selected` : 'them';
  const which = areSelected ? howMany(ids.length, 'selected event') : found;
  const body: Search = areSelected ? { ids: [...ids] } : search;
  const tell = (verb: Verb, { settled, remaining }: Dto['SettledDto']): void => {
    const words = `${DONE[verb]}: ${howMany(settled, 'event')}.`;
    setDone(areSelected ? words : `${words} Left: ${remaining.toLocaleString()}.`);
    clear();
  };
  return (
    <>
      {!isEmpty && (
        <BulkActions isUnsearched={isUnsearched}>
          <Group>
            {all}
            <SettleActions
              release={{
                label: `Release ${these}`,
                consequence: <>These go the way of all others, as they were sent: {which}.</>,
              }}
              discard={{
                label: `Discard ${these}`,
                consequence: <>These are deleted for good: {which}.</>,
              }}
              settle={(verb) => bodyOf(api.POST(`/quarantined-events/${verb}`, { body }))}
              onSettled={tell}
            />
          </Group>
        </BulkActions>
      )}
      {done !== undefined && <Text role="status">{done}</Text>}
    </>
  );
}

interface QuarantinedEventProps {
  readonly event: Quarantined | undefined;
  readonly onClose: () => void;
}

/** What was sent; it says itself what is wrong with it. */
function QuarantinedEvent({ event, onClose }: QuarantinedEventProps): ReactNode {
  const mayWrite = useCan('write');
  return (
    <Modal
      opened={event !== undefined}
      onClose={onClose}
      size="xl"
      title="Quarantined event"
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {event !== undefined && (
        <Stack>
          <Text size="sm">
            Message id <Code>{event.messageId}</Code>
          </Text>
          <PlanVerdict event={event.event} />
          {mayWrite && (
            <SettleActions
              release={{
                label: 'Release it',
                consequence: 'The event goes the way of all others, as it was sent.',
              }}
              discard={{ label: 'Discard it', consequence: 'The event is deleted for good.' }}
              settle={(verb) =>
                bodyOf(api.POST(`/quarantined-events/{id}/${verb}`, { params: { path: { id: event.id } } }))
              }
              onSettled={onClose}
            />
          )}
          <SentEvent id={event.id} />
        </Stack>
      )}
    </Modal>
  );
}

/** With the digits that it was sent with. */
function SentEvent({ id }: Pick<Quarantined, 'id'>): ReactNode {
  const sent = useQuery({
    queryKey: ['quarantined-event', id],
    queryFn: () =>
      exactBodyOf<Quarantined>(
        api.GET('/quarantined-events/{id}', { params: { path: { id } }, parseAs: 'text' }),
      ),
    structuralSharing: false,
  });
  return <Answered query={sent}>{({ event }) => <JsonView name="the event" value={event} />}</Answered>;
}

interface Action {
  readonly label: string;
  readonly consequence: ReactNode;
}

interface SettleActionsProps<Result> {
  readonly release: Action;
  readonly discard: Action;
  readonly settle: (verb: Verb) => Promise<Result>;
  readonly onSettled: (verb: Verb, result: Result) => void;
}

function SettleActions<Result>({
  release,
  discard,
  settle,
  onSettled,
}: SettleActionsProps<Result>): ReactNode {
  const queries = useQueryClient();
  const onDone = (verb: Verb, result: Result): void => {
    onSettled(verb, result);
    for (const kind of ['quarantined-events', 'events', 'attention', 'stats'])
      void queries.invalidateQueries({ queryKey: [kind] });
  };
  return (
    <Group gap="xs">
      <ConfirmButton
        harmless
        label={release.label}
        consequence={release.consequence}
        action={() => settle('release')}
        onDone={(result) => onDone('release', result)}
      />
      <ConfirmButton
        label={discard.label}
        consequence={discard.consequence}
        action={() => settle('discard')}
        onDone={(result) => onDone('discard', result)}
      />
    </Group>
  );
}
