import { Alert, Button, Group, NumberInput, Progress, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { Answered } from '../../shared/answered';
import { ConfirmButton } from '../../shared/confirm-button';
import { type Column, DataTable } from '../../shared/data-table';
import { howMany } from '../../shared/how-many';
import { fromLocalTime } from '../../shared/local-time';
import { ProblemAlert } from '../../shared/problem-alert';
import { Section } from '../../shared/section';
import { REPLAY_STATES } from '../../shared/states';
import { StatusBadge } from '../../shared/status-badge';
import { Time } from '../../shared/time';
import { waitsWords } from '../../shared/deliveries/waits-words';
import { ReplayCount } from './replay-count';
import { useRefresh } from './use-destination';

const LOOK_EVERY_MS = 1_000;
const DEFAULT_RATE = 100;

/** The replays to a destination, how far they are, and a form to start another one. */
export function Replays({ destination }: { readonly destination: Dto['DestinationDto'] }): ReactNode {
  const { id } = destination;
  const replays = useQuery({
    queryKey: ['replays', id],
    queryFn: () => bodyOf(api.GET('/replays', { params: { query: { destinationId: id } } })),
    refetchInterval: ({ state }) => (isAnyRunning(state.data) ? LOOK_EVERY_MS : false),
  });
  useRefreshAfter(isAnyRunning(replays.data));
  return (
    <Section title="Replays">
      <Stack>
        {useCan('write') && <ReplayForm id={id} />}
        <Answered query={replays}>
          {(rows) => (
            <DataTable
              label="Replays"
              columns={COLUMNS}
              rows={rows}
              rowKey={(replay) => replay.id}
              empty="No replay yet."
            />
          )}
        </Answered>
      </Stack>
    </Section>
  );
}

function isAnyRunning(replays: readonly Replay[] | undefined): boolean {
  return replays?.some(({ state }) => state === 'running') ?? false;
}

/** What has run has changed the numbers of its destination. */
function useRefreshAfter(isRunning: boolean): void {
  const refresh = useRefresh();
  const wasRunning = useRef(false);
  useEffect(() => {
    if (wasRunning.current && !isRunning) refresh();
    wasRunning.current = isRunning;
  });
}

function ReplayForm({ id }: { readonly id: string }): ReactNode {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [ratePerSecond, setRate] = useState<number | string>(DEFAULT_RATE);
  const refresh = useRefresh();
  const params = { path: { id } };
  const range = (): { from: string; to?: string } => ({
    from: fromLocalTime(from),
    to: to === '' ? undefined : fromLocalTime(to),
  });
  const count = useMutation({
    mutationFn: () => bodyOf(api.POST('/destinations/{id}/replay/dry-run', { params, body: range() })),
  });
  const start = useMutation({
    mutationFn: () => {
      const body = { ...range(), ratePerSecond: Number(ratePerSecond) };
      return bodyOf(api.POST('/destinations/{id}/replay', { params, body }));
    },
    onSuccess: () => (count.reset(), refresh()),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <form onSubmit={submit} aria-label="Replay">
      <Stack gap="sm">
        <Text size="sm">
          Replays the stored events of a range of time that pass the filter as it is now. Each becomes a new
          delivery.
        </Text>
        <Group align="flex-end" gap="sm">
          <TextInput
            type="datetime-local"
            step={1}
            label="Received from"
            required
            value={from}
            onChange={({ currentTarget }) => (count.reset(), setFrom(currentTarget.value))}
          />
          <TextInput
            type="datetime-local"
            step={1}
            label="Received before (now, if empty)"
            value={to}
            onChange={({ currentTarget }) => (count.reset(), setTo(currentTarget.value))}
          />
          <NumberInput
            label="Deliveries a second"
            min={1}
            max={5_000}
            value={ratePerSecond}
            onChange={setRate}
          />
          <Button
            variant="default"
            loading={count.isPending}
            onClick={({ currentTarget }) => currentTarget.form?.reportValidity() === true && count.mutate()}
          >
            Count them
          </Button>
          <Button type="submit" loading={start.isPending}>
            Replay
          </Button>
        </Group>
        {count.data !== undefined && <ReplayCount counted={count.data} />}
        {count.isError && <ProblemAlert error={count.error} />}
        {start.isError && <ProblemAlert error={start.error} />}
        {start.data?.waitsFor !== undefined && start.data.waitsFor !== null && (
          <Alert variant="outline" color="yellow" title="What is replayed waits">
            {waitsWords(start.data.waitsFor)}
          </Alert>
        )}
      </Stack>
    </form>
  );
}

type Replay = Dto['ReplayDto'];

const COLUMNS: readonly Column<Replay>[] = [
  { title: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: 'Of', cell: ({ kind }) => (kind === 'events' ? 'stored events' : 'dead letters') },
  { title: 'State', cell: ({ state }) => <ReplayState state={state} /> },
  { title: 'Progress', cell: (replay) => <Done replay={replay} /> },
  { title: 'Actions', cell: (replay) => <Cancel replay={replay} /> },
];

function ReplayState({ state }: Pick<Replay, 'state'>): ReactNode {
  const { tone, word } = REPLAY_STATES[state];
  return <StatusBadge tone={tone}>{word}</StatusBadge>;
}

function Done({ replay: { state, done, total, deliveries } }: { readonly replay: Replay }): ReactNode {
  const isDone = state === 'done';
  const gone = isDone && total !== null ? total - done : 0;
  return (
    <Stack gap={4} miw={120}>
      <Text size="sm">
        {done.toLocaleString()} {total !== null && `of ${total.toLocaleString()}`} looked at
        {gone > 0 && `, ${howMany(gone, 'was', 'were')} no longer there`}
        {deliveries !== null && `, ${deliveries.toLocaleString()} replayed`}
      </Text>
      {total !== null && (
        <Progress.Root>
          <Progress.Section
            aria-label="Looked at"
            value={isDone || total === 0 ? 100 : Math.min(100, (done / total) * 100)}
          />
        </Progress.Root>
      )}
    </Stack>
  );
}

function Cancel({ replay: { id, state } }: { readonly replay: Replay }): ReactNode {
  const refresh = useRefresh();
  const mayWrite = useCan('write');
  if (state !== 'running' || !mayWrite) return null;
  return (
    <ConfirmButton
      size="compact-sm"
      label="Cancel the replay"
      consequence="Nothing more is replayed. What it has handed over already is delivered."
      action={() => bodyOf(api.DELETE('/replays/{id}', { params: { path: { id } } }))}
      onDone={refresh}
    />
  );
}
