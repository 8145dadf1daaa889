import { Code, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api, bodyOf, type Dto, pageOf } from '../../api/client';
import { useCan } from '../../api/me';
import { useList } from '../../api/use-list';
import { counted } from '../../shared/counted';
import { ConfirmButton } from '../../shared/confirm-button';
import type { Column } from '../../shared/data-table';
import { type Filter, Filters, useFilterValues } from '../../shared/filters';
import { DeliveriesTable } from './deliveries-table';
import { DestinationFrame } from './destination-frame';
import { useRefresh, useStats } from './use-destination';

const PAGE_ROWS = 50;
/** Of an answer, in characters: a page of HTML may be one line. */
const MAX_LINE = 160;
const FILTERS: readonly Filter<'reason'>[] = [{ name: 'reason', label: 'Reason' }];

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
  const { reason } = useFilterValues(FILTERS);
  const mayWrite = useCan('write');
  const list = useList(['destinations', id, 'dead-letters', reason], (cursor) =>
    pageOf(
      api.GET('/dead-letters', {
        params: { query: { destinationId: id, reason, limit: PAGE_ROWS, cursor } },
      }),
    ),
  );
  const isEmpty = list.data?.pages[0]?.rows.length === 0;
  return (
    <>
      <Text size="sm">
        Deliveries that are not tried any more. They stay here until they are replayed, discarded or too old.
      </Text>
      <Filters filters={FILTERS} />
      {mayWrite && !isEmpty && <Actions destination={destination} reason={reason} />}
      <DeliveriesTable label="Dead letters" list={list} empty="No dead letter." more={[ANSWER]} />
    </>
  );
}

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

/** What can be done to all that the list shows. */
function Actions({
  destination,
  reason,
}: OfDestination & { readonly reason: string | undefined }): ReactNode {
  const { id, name } = destination;
  const refresh = useRefresh();
  const [, goTo] = useLocation();
  const body = { destinationId: id, reason };
  const which = useWhich(id, reason);
  return (
    <Group gap="xs">
      <ConfirmButton
        harmless
        label="Replay them"
        consequence={`${which} of “${name}” are sent with their old ids, at most 100 a second beside the live traffic. The replay can be cancelled.`}
        action={() => bodyOf(api.POST('/dead-letters/replay', { body }))}
        onDone={() => {
          refresh();
          goTo(`/destinations/${id}`);
        }}
      />
      <ConfirmButton
        label="Discard them"
        consequence={`${which} of “${name}” are cancelled for good. The events themselves stay.`}
        action={() => bodyOf(api.POST('/dead-letters/discard', { body }))}
        onDone={refresh}
      />
    </Group>
  );
}

/** The ones that are meant, counted if that is known. */
function useWhich(id: string, reason: string | undefined): string {
  const stats = useStats(id).data;
  if (reason !== undefined) return `All dead letters with the reason “${reason}”`;
  if (stats === undefined) return 'All dead letters';
  return `All dead letters (${counted(stats.deadLetters, stats.countedUpTo)})`;
}
