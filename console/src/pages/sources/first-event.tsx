import { Alert, Group, Loader, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { isSilent } from '../../shared/sources/is-silent';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';

/** Whether the source has sent something. */
export function FirstEvent({ source }: { readonly source: Dto['HeardSourceDto'] }): ReactNode {
  const { id, lastEventAt, kind, transformationId, untransformed } = source;
  const isKept = kind === 'webhook' && transformationId === null && untransformed === 'keep';
  const silent = isSilent(source, Date.now());
  return (
    <div aria-live="polite">
      {lastEventAt === null && isKept ? (
        <Text>Its requests are kept, and no events are made of them until you say below what they mean.</Text>
      ) : lastEventAt === null ? (
        <Group gap="sm">
          <Loader size="sm" type="dots" aria-hidden />
          <Text>Waiting for your first event…</Text>
        </Group>
      ) : (
        <Alert
          color={silent ? 'red' : 'green'}
          variant="outline"
          title={silent ? 'It has been silent for longer than it may be' : 'Events arrive'}
        >
          The last one came <Time at={lastEventAt} />.{' '}
          <To href={`/events?${new URLSearchParams({ sourceId: id }).toString()}`}>See its events</To>
        </Alert>
      )}
    </div>
  );
}
