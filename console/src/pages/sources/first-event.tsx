import { Alert, Group, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf } from '../../api/client';
import { Answered } from '../../shared/answered';
import { Time } from '../../shared/time';

const LOOK_EVERY_MS = 2_000;

/** Looks whether the source has sent something, until it has. */
export function FirstEvent({ sourceId }: { readonly sourceId: string }): ReactNode {
  const events = useQuery({
    queryKey: ['first-event', sourceId],
    queryFn: () => bodyOf(api.GET('/events', { params: { query: { sourceId, limit: 1 } } })),
    refetchInterval: ({ state }) => (state.data?.length === 0 ? LOOK_EVERY_MS : false),
  });
  return (
    <div aria-live="polite">
      <Answered query={events}>
        {([latest]) =>
          latest === undefined ? (
            <Group gap="sm">
              <Loader size="sm" type="dots" aria-hidden />
              <Text>Waiting for your first event…</Text>
            </Group>
          ) : (
            <Alert color="green" variant="outline" title="Events arrive">
              The last one: {latest.name}, received <Time at={latest.receivedAt} />
            </Alert>
          )
        }
      </Answered>
    </div>
  );
}
