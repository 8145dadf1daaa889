import { PermanentDeliveryError, RetryableDeliveryError } from '../../connectors/delivery-error';
import { ERROR_CLASSES } from '../../connectors/error-classes';
import { answerFrom, failureFrom } from './connector-verdict';

const OF_NOTHING = { latency: {} };

describe('the verdict of a connector', () => {
  it.each<[unknown, object]>([
    [undefined, OF_NOTHING],
    [null, OF_NOTHING],
    ['OK', OF_NOTHING],
    [{ status: '200', excerpt: 7, latency: null }, OF_NOTHING],
    [{ status: 70_000, latency: { dnsMs: NaN, tlsMs: '3' } }, OF_NOTHING],
    [
      { status: 204, excerpt: 'done', latency: { connectMs: 1.5 } },
      { status: 204, excerpt: 'done', latency: { connectMs: 1.5 } },
    ],
    [{ excerpt: 'a'.repeat(250_000) }, { ...OF_NOTHING, excerpt: 'a'.repeat(1_024) }],
    [{ excerpt: 'é'.repeat(250_000) }, { ...OF_NOTHING, excerpt: 'é'.repeat(512) }],
    [{ excerpt: '"\\ \0 half a \ud83d' }, { ...OF_NOTHING, excerpt: '"\\  half a \ufffd' }],
  ])('takes of the answer %j what is one', (given, answer) => {
    expect(answerFrom(given)).toEqual(answer);
  });

  it.each([NaN, -1, '5', null])('knows no wait of %j', (retryAfterMs) => {
    const failure = failureFrom(new RetryableDeliveryError('http_5xx', { retryAfterMs } as never));
    expect(failure).toMatchObject({ errorClass: 'http_5xx', details: { retryAfterMs: undefined } });
  });

  it('knows each class of the service', () => {
    const given = ERROR_CLASSES.map((errorClass) => failureFrom(new PermanentDeliveryError(errorClass)));
    expect(given.map(({ errorClass }) => errorClass)).toEqual(ERROR_CLASSES);
  });

  it('keeps what a failure says', () => {
    const details = { status: 410, excerpt: 'gone', disableDestination: true, isOfEvent: false };
    const failure = failureFrom(new PermanentDeliveryError('gone', details));
    expect(failure).toBeInstanceOf(PermanentDeliveryError);
    expect(failure).toMatchObject({ errorClass: 'gone', details });
    const later = failureFrom(new RetryableDeliveryError('http_429', { retryAfterMs: 5_000 }));
    expect(later).toBeInstanceOf(RetryableDeliveryError);
    expect(later).not.toBeInstanceOf(PermanentDeliveryError);
    expect(later.details.retryAfterMs).toBe(5_000);
  });

  it.each<[unknown]>([
    [new Error('x')],
    [undefined],
    [new RetryableDeliveryError(503 as never)],
    [new PermanentDeliveryError(410 as never)],
    [new RetryableDeliveryError(undefined as never, null as never)],
    [new PermanentDeliveryError('')],
    [new PermanentDeliveryError('a'.repeat(65))],
    [new PermanentDeliveryError('odd\0')],
    [new PermanentDeliveryError('{"message":"The card was declined."}')],
  ])('takes %p for a fault of the connector', (thrown) => {
    expect(failureFrom(thrown)).toMatchObject({ errorClass: 'connector_error' });
    expect(failureFrom(thrown)).toBeInstanceOf(RetryableDeliveryError);
    expect(failureFrom(thrown)).not.toBeInstanceOf(PermanentDeliveryError);
  });
});
