import { Code, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { nameOf, useSources, useTransformations } from '../../api/all-of';
import type { Dto } from '../../api/client';
import { useCan } from '../../api/me';
import { Answered } from '../../shared/answered';
import { howMany } from '../../shared/how-many';
import { JsonView } from '../../shared/json-view';
import { Section } from '../../shared/section';
import { To } from '../../shared/to';
import { DestinationActions } from './destination-actions';
import { DestinationFrame } from './destination-frame';
import { getsEvents } from '../../shared/destinations/gets-events';
import { Health } from '../../shared/destinations/health';
import { NOTICES } from './notices-field';
import { Replays } from './replays';
import { RetryPending } from './retry-pending';
import { Stats } from './stats';
import { useStats } from './use-destination';

type Destination = Dto['DestinationDto'];

/** One destination: how it is doing, what it is told, and what can be done to it. */
export function DestinationPage(): ReactNode {
  const mayWrite = useCan('write');
  return (
    <DestinationFrame actions={(destination) => mayWrite && <DestinationActions destination={destination} />}>
      {(destination) => (
        <>
          <Doing destination={destination} />
          <Section title="What it gets">
            <Gets destination={destination} />
          </Section>
          <Replays destination={destination} />
        </>
      )}
    </DestinationFrame>
  );
}

function Doing({ destination }: { readonly destination: Destination }): ReactNode {
  const { id } = destination;
  const mayWrite = useCan('write');
  return (
    <Section title="Health">
      <Answered query={useStats(id, true)}>
        {(stats) => (
          <Stack>
            <Health health={stats.health} />
            <Stats id={id} stats={stats} />
            {mayWrite && <RetryPending destination={destination} pending={stats.pending} />}
          </Stack>
        )}
      </Answered>
    </Section>
  );
}

function Gets({ destination }: { readonly destination: Destination }): ReactNode {
  const {
    type,
    config,
    sources,
    filter,
    transformationId,
    mapping,
    notices,
    noticeTraits,
    rateLimit,
    order,
    connectorInstalled,
    secretsReadable,
  } = destination;
  const known = useSources().data;
  return (
    <Stack>
      {!connectorInstalled && <Text>Its connector is not installed: its deliveries wait.</Text>}
      {!secretsReadable && (
        <Text>Its secrets are sealed with another key than the service has: its deliveries wait.</Text>
      )}
      <Text size="sm">
        {getsEvents(filter) ? (
          <>
            Events of {sources === null ? 'all sources' : sources.map((id) => nameOf(known, id)).join(', ')}
            {filter === null ? '.' : ', as far as they pass its filter.'}
          </>
        ) : (
          `It gets no events${notices.length > 0 ? ', only notices' : ''}.`
        )}
        {notices.length > 0 &&
          ` It is told: ${notices.map((notice) => NOTICES[notice].toLowerCase()).join(', ')}.`}
        {noticeTraits !== null && ` Computed traits: ${noticeTraits.join(', ')}.`}
        {rateLimit !== null && ` At most ${howMany(rateLimit.perSecond, 'request')} a second.`}
        {order !== null && ' The events of each person in the order of their acceptance.'}
      </Text>
      {transformationId !== null && <Transformed by={transformationId} />}
      <Group gap="xs">
        Type <Code>{type}</Code>
      </Group>
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Part title="Settings" value={config} />
        {filter !== null && <Part title="Filter" value={filter} />}
        {mapping !== null && <Part title="Mapping" value={mapping} />}
      </SimpleGrid>
    </Stack>
  );
}

function Transformed({ by }: { readonly by: string }): ReactNode {
  const known = useTransformations().data;
  return (
    <Text size="sm">
      Changed by <To href={`/transformations/${by}`}>{nameOf(known, by)}</To>.
    </Text>
  );
}

function Part({ title, value }: { readonly title: string; readonly value: object }): ReactNode {
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <JsonView name={title.toLowerCase()} value={value} />
    </div>
  );
}
