import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Time } from '../time';
import { failureWords } from './failure-words';

type Delivery = Dto['DeliveryWithAttemptsDto'];

const WAITS: Readonly<Record<NonNullable<Delivery['waitsFor']>, string>> = {
  batch: 'It waits for its batch to be full, or old enough.',
  connector_not_installed: 'It waits for the connector of the destination to be installed.',
  destination_disabled:
    'It waits because the service switched the destination off. It is sent when somebody resumes it.',
  destination_down:
    'It waits because the destination is down. The service looks by itself whether it is back.',
  destination_paused:
    'It waits because somebody paused the destination. It is sent when somebody resumes it.',
  next_try: 'The last try failed: it waits for the next one.',
  rate_limit: 'It waits for its turn: the destination has a rate limit.',
};

/** What became of a delivery and why, in a sentence or two. */
export function DeliveryStory({ delivery }: { readonly delivery: Delivery }): ReactNode {
  return (
    <Text size="sm" component="div">
      <Story delivery={delivery} />
    </Text>
  );
}

function Story({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { state, attempts, updatedAt, errorClass, reason, waitsFor, nextTryAt } = delivery;
  switch (state) {
    case 'delivered':
      return (
        <>
          Delivered <Time at={updatedAt} /> with {tries(attempts)}.
        </>
      );
    case 'dead':
      return (
        <>
          Given up <Time at={updatedAt} /> after {tries(attempts)}: {failureWords(reason ?? 'failed')}.
        </>
      );
    case 'cancelled':
      return (
        <>
          Called off <Time at={updatedAt} /> after {tries(attempts)}: it was discarded, or its destination
          deleted.
        </>
      );
    case 'pending':
      return (
        <>
          {waitsFor === null ? 'About to be sent.' : WAITS[waitsFor]}
          {nextTryAt !== null && (
            <>
              {' '}
              Next try <Time at={nextTryAt} />.
            </>
          )}
          {errorClass !== null && ` So far ${tries(attempts)}: ${failureWords(errorClass)}.`}
        </>
      );
  }
}

function tries(count: number): string {
  return count === 1 ? '1 try' : `${count} tries`;
}
