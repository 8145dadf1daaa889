import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { api, type Dto, exactBodyOf } from '../../api/client';
import { AnsweredPage } from '../../shared/answered-page';
import { JsonView } from '../../shared/json-view';
import { PlanVerdict, violationsOf } from '../../shared/plan-verdict';
import { Section } from '../../shared/section';
import { Trace } from './trace';

const LOOK_EVERY_MS = 2_000;

/** One event: where it went, and what it is. */
export function EventPage(): ReactNode {
  const { id = '' } = useParams();
  const trace = useQuery({
    queryKey: ['events', id, 'trace'],
    queryFn: () =>
      exactBodyOf<Dto['TraceDto']>(
        api.GET('/events/{id}/trace', { params: { path: { id } }, parseAs: 'text' }),
      ),
    structuralSharing: false,
    refetchInterval: ({ state }) =>
      state.data !== undefined && isOnItsWay(state.data) ? LOOK_EVERY_MS : false,
  });
  return (
    <AnsweredPage
      query={trace}
      fallbackTitle="Event"
      title={({ event }) => event?.name ?? 'Event'}
      actions={() => (
        <Button variant="default" loading={trace.isRefetching} onClick={() => void trace.refetch()}>
          Look again
        </Button>
      )}
    >
      {({ event, ...rest }) => (
        <>
          <Section title="Where it went">{event !== null && <Trace event={event} trace={rest} />}</Section>
          {violationsOf(event?.payload).length > 0 && (
            <Section title="What its tracking plan says">
              <PlanVerdict event={event?.payload} />
            </Section>
          )}
          <Section title="The event as it is stored">
            <JsonView name="the event" value={event?.payload} />
          </Section>
        </>
      )}
    </AnsweredPage>
  );
}

/** Whether what the trace says may be different in a moment. */
function isOnItsWay({ processing, destinations }: Dto['TraceDto']): boolean {
  return processing === 'waiting' || destinations.some(({ outcome }) => outcome === 'pending');
}
