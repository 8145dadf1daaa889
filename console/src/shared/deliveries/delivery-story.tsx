import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { howMany } from '../how-many';
import { Time } from '../time';
import { failureWords } from './failure-words';
import { waitsWords } from './waits-words';

type Delivery = Dto['DeliveryWithAttemptsDto'];

/** What became of a delivery and why, in a sentence or two. */
export function DeliveryStory({ delivery }: { readonly delivery: Delivery }): ReactNode {
  return (
    <Text size="sm" component="div">
      <Story delivery={delivery} />
    </Text>
  );
}

function Story({ delivery }: { readonly delivery: Delivery }): ReactNode {
  const { state, attempts, updatedAt, errorClass, reason, waitsFor, nextTryAt, passedAt } = delivery;
  switch (state) {
    case 'delivered':
      return (
        <>
          Delivered <Time at={updatedAt} /> with {howMany(attempts, 'try', 'tries')}.
        </>
      );
    case 'dead':
      return (
        <>
          Became a dead letter <Time at={updatedAt} /> after {howMany(attempts, 'try', 'tries')}:{' '}
          {failureWords(reason ?? 'failed')}.
        </>
      );
    case 'cancelled':
      return (
        <>
          Cancelled <Time at={updatedAt} /> after {howMany(attempts, 'try', 'tries')}:{' '}
          {errorClass === 'transformed_to_nothing'
            ? 'the transformation made nothing of it.'
            : 'it was discarded, or its destination deleted.'}
        </>
      );
    case 'pending':
      return (
        <>
          {waitsFor === null ? 'About to be sent.' : waitsWords(waitsFor)}
          {nextTryAt !== null && (
            <>
              {' '}
              Next try <Time at={nextTryAt} />.
            </>
          )}
          {passedAt !== null && ' Later deliveries of the same person were let past it.'}
          {errorClass !== null &&
            ` So far ${howMany(attempts, 'try', 'tries')}: ${failureWords(errorClass)}.`}
        </>
      );
  }
}
