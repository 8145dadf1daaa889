import { Box, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, bodyOf, type Dto, pageOf } from '../../api/client';
import { useCan } from '../../api/me';
import { useList } from '../../api/use-list';
import { ConfirmButton } from '../../shared/confirm-button';
import type { Column } from '../../shared/data-table';
import { Disclosure } from '../../shared/disclosure';
import { EventProblems } from '../../shared/event-problems';
import { howMany } from '../../shared/how-many';
import { JsonText } from '../../shared/json-view';
import { ListTable } from '../../shared/list-table';
import { Time } from '../../shared/time';

const LOOK_EVERY_MS = 2_000;
const PAGE_ROWS = 50;
type Request = Dto['HookRequestDto'];

/** Failed requests of a webhook, of which no events could be made, and what can be done about them. */
export function HookRequests({ sourceId }: { readonly sourceId: string }): ReactNode {
  const mayWrite = useCan('write');
  const queries = useQueryClient();
  const list = useList(
    ['hook-requests', sourceId],
    (cursor) =>
      pageOf(api.GET('/hook-requests', { params: { query: { sourceId, limit: PAGE_ROWS, cursor } } })),
    // Whoever has asked for more pages reads: all of them, again and again, would be much.
    ({ rows }) => rows.length <= PAGE_ROWS && LOOK_EVERY_MS,
  );
  const isEmpty = (list.data?.pages[0]?.rows.length ?? 0) === 0;
  const refresh = (): void => void queries.invalidateQueries({ queryKey: ['hook-requests'] });
  const act: Column<Request> = { title: 'Actions', cell: ({ id }) => <SettleOne id={id} onDone={refresh} /> };
  return (
    <Stack>
      {mayWrite && <SettleAll sourceId={sourceId} isEmpty={isEmpty} onDone={refresh} />}
      <ListTable
        label="Failed requests"
        list={list}
        columns={mayWrite ? [...COLUMNS, act] : COLUMNS}
        rowKey={({ id }) => id}
        empty="No request failed."
      />
    </Stack>
  );
}

function SettleOne({ id, onDone }: { readonly id: string; readonly onDone: () => void }): ReactNode {
  const params = { path: { id } };
  return (
    <Group gap="xs">
      <ConfirmButton
        harmless
        size="compact-sm"
        label="Run again"
        consequence="Events are made of the request once more, as the source says now."
        action={() => bodyOf(api.POST('/hook-requests/{id}/run', { params }))}
        onDone={onDone}
      />
      <ConfirmButton
        size="compact-sm"
        label="Discard"
        consequence="The request is deleted for good: no events are made of it."
        action={() => bodyOf(api.POST('/hook-requests/{id}/discard', { params }))}
        onDone={onDone}
      />
    </Group>
  );
}

interface SettleAllProps {
  readonly sourceId: string;
  readonly isEmpty: boolean;
  readonly onDone: () => void;
}

/** What can be done to all of them, and what came of it. */
function SettleAll({ sourceId, isEmpty, onDone }: SettleAllProps): ReactNode {
  const [done, setDone] = useState<string>();
  const tell = (words: string, { settled, remaining }: Dto['SettledHookRequestsDto']): void => {
    setDone(`${words}: ${howMany(settled, 'request')}. Left: ${remaining.toLocaleString()}.`);
    onDone();
  };
  const body = { sourceId };
  return (
    <>
      {!isEmpty && (
        <Group>
          <ConfirmButton
            harmless
            label="Run all again"
            consequence="Events are made of all failed requests of this source once more, as it says now: of the oldest 10,000 if there are more."
            action={() => bodyOf(api.POST('/hook-requests/run', { body }))}
            onDone={(answer) => tell('Run again', answer)}
          />
          <ConfirmButton
            label="Discard all"
            consequence="All failed requests of this source are deleted for good."
            action={() => bodyOf(api.POST('/hook-requests/discard', { body }))}
            onDone={(answer) => tell('Discarded', answer)}
          />
        </Group>
      )}
      {done !== undefined && <Text role="status">{done}</Text>}
    </>
  );
}

const COLUMNS: readonly Column<Request>[] = [
  { title: 'Received', cell: ({ receivedAt }) => <Time at={receivedAt} /> },
  { title: 'What is wrong', cell: ({ problems }) => <EventProblems problems={problems} /> },
  {
    title: 'Request',
    cell: ({ request }) => (
      <Disclosure summary="As it came">
        {/* Long lines scroll by themselves: what can be done about the request stays in sight. */}
        <Box w={{ base: '100%', sm: 260, md: 400 }}>
          <JsonText name="the request" text={request} />
        </Box>
      </Disclosure>
    ),
  },
];
