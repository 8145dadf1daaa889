import { Code, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import { api, bodyOf, type Dto, pageOf } from '../../api/client';
import { useCan } from '../../api/me';
import { useList } from '../../api/use-list';
import { BulkActions } from '../../shared/bulk-actions';
import { counted, countedIn } from '../../shared/counted';
import { ConfirmButton } from '../../shared/confirm-button';
import type { Column } from '../../shared/data-table';
import { type Filter, Filters, type FilterValues, useFilterValues } from '../../shared/filters';
import { FoundInWords } from '../../shared/found-in-words';
import { howMany } from '../../shared/how-many';
import { KNOWN_REASONS } from '../../shared/deliveries/failure-words';
import { Time } from '../../shared/time';
import { DeliveriesTable } from './deliveries-table';
import { DestinationFrame } from './destination-frame';
import { useRefresh, useStats } from './use-destination';

const PAGE_ROWS = 50;
/** Of an answer, in characters: a page of HTML may be one line. */
const MAX_LINE = 160;
const REASON: Filter<'reason'> = { name: 'reason', label: 'Reason' };
const FILTERS = [REASON];

export function DeadLettersPage(): ReactNode {
  return (
    <DestinationFrame part="dead letters">
      {(destination) => <DeadLetters destination={destination} />}
    </DestinationFrame>
  );
}

interface OfDestination {
  readonly destination: Dto['DestinationDto'];
}

function DeadLetters({ destination }: OfDestination): ReactNode {
  const { id } = destination;
  const values = useFilterValues(FILTERS);
  const { reason } = values;
  const [isUnsearched, setUnsearched] = useState(false);
  const [discarded, setDiscarded] = useState<number>();
  const stats = useStats(id).data;
  const mayWrite = useCan('write');
  const list = useList(['destinations', id, 'dead-letters', reason], (cursor) =>
    pageOf(
      api.GET('/dead-letters', {
        params: { query: { destinationId: id, reason, limit: PAGE_ROWS, cursor } },
      }),
    ),
  );
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  // The statistics have no reasons, and may be older than the list.
  const count =
    reason === undefined && stats !== undefined
      ? counted(Math.max(stats.deadLetters, rows.length), stats.countedUpTo)
      : countedIn(rows, list.hasNextPage);
  return (
    <>
      <Text size="sm">
        Deliveries that are not tried any more. They stay here until they are replayed, discarded or too old.
      </Text>
      <Filters filters={[{ ...REASON, suggestions: reasonsOf(rows) }]} onUnsearched={setUnsearched} />
      {mayWrite && rows.length > 0 && (
        <BulkActions isUnsearched={isUnsearched}>
          <Actions destination={destination} values={values} count={count} onDiscarded={setDiscarded} />
        </BulkActions>
      )}
      {discarded !== undefined && <Text role="status">Discarded: {howMany(discarded, 'dead letter')}.</Text>}
      <DeliveriesTable
        label="Dead letters"
        list={list}
        empty="No dead letter."
        state={DEAD_SINCE}
        more={[ANSWER]}
      />
    </>
  );
}

/** First those that are there, which may be of the connector. */
function reasonsOf(letters: readonly Dto['DeadLetterDto'][]): readonly string[] {
  const found = letters.flatMap(({ reason }) => reason ?? []);
  return [...new Set([...found, ...KNOWN_REASONS])];
}

const DEAD_SINCE: Column<Dto['DeadLetterDto']> = {
  title: 'Dead since',
  cell: ({ updatedAt }) => <Time at={updatedAt} />,
};

const ANSWER: Column<Dto['DeadLetterDto']> = {
  title: 'Last answer',
  cell: ({ status, answer }) => (
    <Group gap="xs">
      {status !== null && <Text size="sm">{status}</Text>}
      {answer !== null && <Code style={{ overflowWrap: 'anywhere' }}>{firstLineOf(answer)}</Code>}
    </Group>
  ),
};

/** The delivery has the rest. */
function firstLineOf(answer: string): string {
  const [line = ''] = answer.trim().split(/[\r\n]/, 1);
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}

interface ActionsProps extends OfDestination {
  readonly values: FilterValues<'reason'>;
  readonly count: string;
  /** Told how many were discarded. */
  readonly onDiscarded: (discarded: number) => void;
}

/** What can be done to all that the search finds. */
function Actions({ destination, values, count, onDiscarded }: ActionsProps): ReactNode {
  const { id, name } = destination;
  const refresh = useRefresh();
  const [, goTo] = useLocation();
  const body = { destinationId: id, ...values };
  const found = <FoundInWords what={`dead letters of “${name}”`} filters={FILTERS} values={values} />;
  return (
    <Group gap="xs">
      <ConfirmButton
        harmless
        label="Replay them"
        consequence={
          <>
            These are sent with their old ids, at most 100 a second beside the live traffic: {found} ({count}
            ). The replay can be cancelled.
          </>
        }
        action={() => bodyOf(api.POST('/dead-letters/replay', { body }))}
        onDone={() => {
          refresh();
          goTo(`/destinations/${id}`);
        }}
      />
      <ConfirmButton
        label="Discard them"
        consequence={
          <>
            These are cancelled for good: {found} ({count}). The events themselves stay.
          </>
        }
        action={() => bodyOf(api.POST('/dead-letters/discard', { body }))}
        onDone={({ discarded }) => {
          onDiscarded(discarded);
          refresh();
        }}
      />
    </Group>
  );
}
