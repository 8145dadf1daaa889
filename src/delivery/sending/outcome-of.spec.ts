import { RetryableDeliveryError } from '../../connectors/delivery-error';
import { outcomeOf } from './outcome-of';

describe('what a try comes to', () => {
  const policy = { maxAttempts: 3, backoff: { firstWaitMs: 1_000, maxWaitMs: 60_000 } };
  const times = { startedAt: new Date(), totalMs: 1 };
  const delivery = {
    id: 'id',
    destinationId: 'destination',
    attempts: 2,
    attemptLimit: undefined,
    eventType: 'track',
    body: '{}',
    leaseEndsAt: 0,
  };
  const stateOf = (errorClass: string, isProbe: boolean): string =>
    outcomeOf({ ...delivery, isProbe }, new RetryableDeliveryError(errorClass), times, policy).state;

  it.each(['http_5xx', 'http_4xx', 'unauthorized'])('is the end after the last one: %s', (errorClass) => {
    expect(stateOf(errorClass, false)).toBe('dead');
  });

  it('is no end of a probe, unless the receiver is there and refuses the event', () => {
    expect(stateOf('http_5xx', true)).toBe('pending');
    expect(stateOf('unauthorized', true)).toBe('pending');
    expect(stateOf('http_4xx', true)).toBe('dead');
  });
});
