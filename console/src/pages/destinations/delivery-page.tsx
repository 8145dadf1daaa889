import { Code, Group, List, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { api, bodyOf, type Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { AnsweredPage } from '../../shared/answered-page';
import { ConfirmButton } from '../../shared/confirm-button';
import { DeliveryState } from '../../shared/deliveries/delivery-state';
import { DeliveryStory } from '../../shared/deliveries/delivery-story';
import { Tries } from '../../shared/deliveries/tries';
import { TextBlock } from '../../shared/json-view';
import { Section } from '../../shared/section';
import { To } from '../../shared/to';
import { useDestination, useRefresh } from './use-destination';

const LOOK_EVERY_MS = 2_000;

type Delivery = Dto['DeliveryDetailsDto'];

/** One delivery: what became of it, each try, and the request that is sent. */
export function DeliveryPage(): ReactNode {
  const { deliveryId = '' } = useParams();
  const mayWrite = useCan('write');
  const delivery = useQuery({
    queryKey: ['deliveries', deliveryId],
    queryFn: () => bodyOf(api.GET('/deliveries/{id}', { params: { path: { id: deliveryId } } })),
    refetchInterval: ({ state }) => (state.data?.state === 'pending' ? LOOK_EVERY_MS : false),
  });
  return (
    <AnsweredPage
      query={delivery}
      fallbackTitle="Delivery"
      title={({ eventName, eventType }) => `Delivery of ${eventName ?? eventType}`}
      actions={(found) => mayWrite && <DeliveryActions delivery={found} />}
    >
      {(found) => (
        <>
          <Group gap="sm">
            <DeliveryState state={found.state} />
            <DeliveryStory delivery={found} />
          </Group>
          <Way delivery={found} />
          <Section title="Tries">
            <Tries tries={found.tries} />
          </Section>
          <Section title="Request">
            <Request request={found.request} />
          </Section>
        </>
      )}
    </AnsweredPage>
  );
}

function Way({
  delivery: { id, batchId, eventId, destinationId },
}: {
  readonly delivery: Delivery;
}): ReactNode {
  const destination = useDestination(destinationId).data;
  return (
    <Text size="sm" component="div">
      <To href={`/events/${eventId}`}>The event and its way</To> to{' '}
      <To href={`/destinations/${destinationId}`}>{destination?.name ?? destinationId}</To>.{' '}
      {batchId === null ? (
        <>
          Its id, also the <code>webhook-id</code>, is <Code>{id}</Code>.
        </>
      ) : (
        <>
          Its id is <Code>{id}</Code>, that of its batch <Code>{batchId}</Code>.
        </>
      )}
    </Text>
  );
}

function Request({ request }: Pick<Delivery, 'request'>): ReactNode {
  if (request === null)
    return (
      <Text size="sm">
        It is not known any more: the destination was deleted, or the event is not stored.
      </Text>
    );
  const { method, url, headers, body, problem } = request;
  return (
    <Stack>
      {method !== null && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Code>{method}</Code> {url}
        </Text>
      )}
      <List size="sm" listStyleType="none" aria-label="Headers">
        {Object.entries(headers).map(([name, value]) => (
          <List.Item key={name} style={{ overflowWrap: 'anywhere' }}>
            <Code>{name}</Code> {value}
          </List.Item>
        ))}
      </List>
      {problem !== null && <Text size="sm">{problem}</Text>}
      {body !== null && <TextBlock name="the body" text={body} />}
    </Stack>
  );
}

function DeliveryActions({ delivery: { id, state } }: { readonly delivery: Delivery }): ReactNode {
  const queries = useQueryClient();
  const refreshDestinations = useRefresh();
  const refresh = (): void => {
    void queries.invalidateQueries({ queryKey: ['deliveries', id] });
    refreshDestinations();
  };
  const params = { path: { id } };
  const consequence =
    'It is sent with its old id as soon as nothing is in its way: a destination that is paused stays so.';
  if (state === 'pending')
    return (
      <ConfirmButton
        harmless
        label="Retry it"
        consequence={consequence}
        action={() => bodyOf(api.POST('/deliveries/{id}/retry', { params }))}
        onDone={refresh}
      />
    );
  if (state !== 'dead') return null;
  return (
    <>
      <ConfirmButton
        harmless
        label="Replay it"
        consequence={consequence}
        action={() => bodyOf(api.POST('/dead-letters/{id}/replay', { params }))}
        onDone={refresh}
      />
      <ConfirmButton
        label="Discard it"
        consequence="It is cancelled for good. The event itself stays."
        action={() => bodyOf(api.DELETE('/dead-letters/{id}', { params }))}
        onDone={refresh}
      />
    </>
  );
}
