import { Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { DeliveryState } from '../../shared/deliveries/delivery-state';
import { DeliveryStory } from '../../shared/deliveries/delivery-story';
import { Tries } from '../../shared/deliveries/tries';
import { StatusBadge } from '../../shared/status-badge';
import { To } from '../../shared/to';
import { NotRouted } from './not-routed';

interface TracedDestinationsProps {
  readonly event: Dto['EventDto'];
  readonly destinations: readonly Dto['TracedDestinationDto'][];
}

/** What became of an event at every destination there is. */
export function TracedDestinations({ event, destinations }: TracedDestinationsProps): ReactNode {
  if (destinations.length === 0) return <Text size="sm">There is no destination.</Text>;
  return (
    <Stack gap="sm" mt="xs">
      {destinations.map((traced) => (
        <TracedDestination key={traced.delivery?.id ?? traced.destinationId} event={event} traced={traced} />
      ))}
    </Stack>
  );
}

interface TracedDestinationProps {
  readonly event: Dto['EventDto'];
  readonly traced: Dto['TracedDestinationDto'];
}

function TracedDestination({ event, traced }: TracedDestinationProps): ReactNode {
  const { destinationId, destinationName, outcome, delivery, because } = traced;
  const name = destinationName ?? `A deleted destination (${destinationId})`;
  const isReplay = delivery !== null && delivery.replayId !== null;
  return (
    <Paper withBorder p="sm" component="article" aria-label={isReplay ? `${name}, replay` : name}>
      <Group justify="space-between" mb={4}>
        <Title order={3} size="h5" style={{ overflowWrap: 'anywhere' }}>
          {destinationName === null ? name : <To href={`/destinations/${destinationId}`}>{name}</To>}
        </Title>
        <Group gap="xs">
          {isReplay && <StatusBadge tone="neutral">Replay</StatusBadge>}
          <DeliveryState state={outcome} />
        </Group>
      </Group>
      {delivery === null ? (
        <NotRouted event={event} destinationId={destinationId} because={because} />
      ) : (
        <>
          <DeliveryStory delivery={delivery} />
          {delivery.tries.length > 0 && <Tries tries={delivery.tries} />}
          <Text size="sm" component="div">
            <To href={`/destinations/${destinationId}/deliveries/${delivery.id}`}>
              The delivery, and what is sent
            </To>
          </Text>
        </>
      )}
    </Paper>
  );
}
