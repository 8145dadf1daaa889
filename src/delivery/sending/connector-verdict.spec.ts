import { PermanentDeliveryError, RetryableDeliveryError } from '../../connectors/delivery-error';
import { ERROR_CLASSES } from '../../connectors/error-classes';
import { SecretMask } from '../../connectors/secret-mask';
import { answerFrom, failureFrom } from './connector-verdict';

const NO_SECRETS = new SecretMask([]);
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
    expect(answerFrom(given, NO_SECRETS)).toEqual(answer);
  });

  it.each([NaN, -1, '5', null])('knows no wait of %j', (retryAfterMs) => {
    const failure = failureFrom(
      new RetryableDeliveryError('http_5xx', { retryAfterMs } as never),
      NO_SECRETS,
    );
    expect(failure).toMatchObject({ errorClass: 'http_5xx', details: { retryAfterMs: undefined } });
  });

  it('knows each class of the service', () => {
    const given = ERROR_CLASSES.map((errorClass) =>
      failureFrom(new PermanentDeliveryError(errorClass), NO_SECRETS),
    );
    expect(given.map(({ errorClass }) => errorClass)).toEqual(ERROR_CLASSES);
  });

  it('keeps what a failure says', () => {
    const details = { status: 410, excerpt: 'gone', disableDestination: true, isOfEvent: false };
    const failure = failureFrom(new PermanentDeliveryError('gone', details), NO_SECRETS);
    expect(failure).toBeInstanceOf(PermanentDeliveryError);
    expect(failure).toMatchObject({ errorClass: 'gone', details });
    const later = failureFrom(new RetryableDeliveryError('http_429', { retryAfterMs: 5_000 }), NO_SECRETS);
    expect(later).toBeInstanceOf(RetryableDeliveryError);
    expect(later).not.toBeInstanceOf(PermanentDeliveryError);
    expect(later.details.retryAfterMs).toBe(5_000);
  });

  it('has nothing of a secret that an answer repeats, wherever it is', () => {
    const secret = 'token-of-the-crm-0123456789';
    const mask = new SecretMask([secret]);
    // As given by `throwIfFailed`: with more than is shown.
    for (let before = 0; before < 1_100; before += 1) {
      const body = `${'.'.repeat(before)}${secret}${'.'.repeat(before)}`;
      const { excerpt } = answerFrom({ excerpt: body }, mask);
      expect(excerpt).not.toContain(secret.slice(0, 4));
      expect(excerpt).toMatch(/^\.*\**\.*$/);
    }
    expect(answerFrom({ excerpt: 'to\0ken-of-the-crm-0123456789' }, mask).excerpt).toBe('****');
    const failure = failureFrom(
      new RetryableDeliveryError('http_5xx', { excerpt: `Bearer ${secret}` }),
      mask,
    );
    expect(failure.details.excerpt).toBe('Bearer ****');
  });

  it.each([1_100, 3_000, 9_000])(
    'shows the beginning of an answer of %d characters, however long a secret is',
    (length) => {
      const { excerpt } = answerFrom({ excerpt: '.'.repeat(length) }, new SecretMask(['s'.repeat(1_700)]));
      expect(excerpt).toBe('.'.repeat(1_024));
    },
  );

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
    expect(failureFrom(thrown, NO_SECRETS)).toMatchObject({ errorClass: 'connector_error' });
    expect(failureFrom(thrown, NO_SECRETS)).toBeInstanceOf(RetryableDeliveryError);
    expect(failureFrom(thrown, NO_SECRETS)).not.toBeInstanceOf(PermanentDeliveryError);
  });
});
