import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'wouter';
import { useSources } from '../../api/all-of';
import { howMany } from '../../shared/how-many';
import { ProblemAlert } from '../../shared/problem-alert';

const LASTS = [100, 1_000, 10_000, 50_000];
const DEFAULT_LAST = 10_000;

/** Which stored events to look at: the newest of a source. */
export interface LookBack {
  readonly sourceId: string;
  readonly last: number;
}

interface LookingBackProps<Found> {
  /** What the button does. */
  readonly action: string;
  /** What is tried on the events: what was found with another one is not shown any more. */
  readonly tried?: unknown;
  /** Undefined while there is nothing to look with. */
  readonly look: ((back: LookBack) => Promise<Found>) | undefined;
  readonly children: (found: Found) => ReactNode;
}

/** Looks at the newest stored events of a source that the person chooses, and shows what was found. */
export function LookingBack<Found>({ action, tried, look, children }: LookingBackProps<Found>): ReactNode {
  const sources = useSources().data ?? [];
  const [search] = useSearchParams();
  const [back, setBack] = useState<LookBack>({
    sourceId: search.get('sourceId') ?? '',
    last: DEFAULT_LAST,
  });
  return (
    <Stack align="flex-start" gap="sm">
      <Group>
        <NativeSelect
          label="Source"
          data={[
            { value: '', label: 'Choose a source' },
            ...sources.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={back.sourceId}
          onChange={({ currentTarget }) => setBack({ ...back, sourceId: currentTarget.value })}
        />
        <NativeSelect
          label="Newest events"
          data={LASTS.map((last) => ({ value: String(last), label: last.toLocaleString() }))}
          value={String(back.last)}
          onChange={({ currentTarget }) => setBack({ ...back, last: Number(currentTarget.value) })}
        />
      </Group>
      <Looked
        key={JSON.stringify([tried, back])}
        action={action}
        look={look === undefined || back.sourceId === '' ? undefined : () => look(back)}
      >
        {children}
      </Looked>
    </Stack>
  );
}

interface LookedProps<Found> extends Pick<LookingBackProps<Found>, 'action' | 'children'> {
  readonly look: (() => Promise<Found>) | undefined;
}

function Looked<Found>({ action, look, children }: LookedProps<Found>): ReactNode {
  const looking = useMutation({ mutationFn: (run: () => Promise<Found>) => run() });
  return (
    <>
      <Button
        variant="default"
        disabled={look === undefined}
        loading={looking.isPending}
        onClick={() => look !== undefined && looking.mutate(look)}
      >
        {action}
      </Button>
      {looking.isError && <ProblemAlert error={looking.error} />}
      {looking.isSuccess && children(looking.data)}
    </>
  );
}

interface LookedAtProps {
  readonly looked: { readonly events: number; readonly complete: boolean };
  readonly children: ReactNode;
}

/** What is said of the events that were looked at. */
export function LookedAt({ looked: { events, complete }, children }: LookedAtProps): ReactNode {
  return (
    <Text aria-live="polite">
      {events === 0 ? 'The source has no stored event.' : children}
      {!complete && ` There was no time for more than ${howMany(events, 'event')}.`}
    </Text>
  );
}
