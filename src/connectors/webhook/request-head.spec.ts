import { MAX_ANSWER_BYTES, requestHead } from './request-head';
import type { WebhookConfig } from './webhook-config';

const KEY = 'key-of-the-gateway-0123456789';
const PASSWORD = 'p&ss"word-of-ada';

const config = (members: object = {}): WebhookConfig => ({ url: 'https://a.test', secret: 's', ...members });

describe('what of an answer is shown', () => {
  const head = requestHead(
    config({ headers: { 'X-Key': KEY }, auth: { type: 'basic', username: 'ada', password: PASSWORD } }),
  );
  /** As it is kept: `maxKeptBytes` of it. */
  const shown = (answer: string, isWhole = true): string =>
    head.excerptOf(Buffer.from(answer).subarray(0, head.maxKeptBytes), isWhole);

  it('is its beginning', () => {
    expect(shown('x'.repeat(100_000))).toBe('x'.repeat(1_024));
    expect(shown('short')).toBe('short');
    expect(requestHead(config()).maxKeptBytes).toBe(1_024);
  });

  it.each([
    KEY,
    PASSWORD,
    encodeURIComponent(PASSWORD),
    JSON.stringify(PASSWORD).slice(1, -1),
    Buffer.from(`ada:${PASSWORD}`).toString('base64'),
  ])('has nothing of %s, wherever it is', (secret) => {
    // At the beginning, and around the end of what is shown and of what is kept.
    for (const end of [secret.length, 1_040, head.maxKeptBytes + secret.length])
      for (let before = end - secret.length; before < end; before += 1)
        expect(shown(`${'.'.repeat(before)}${secret}${'.'.repeat(2_000)}`)).not.toContain(secret.slice(0, 4));
  });

  it('has nothing of a secret that is cut off, however often it was there before', () => {
    for (let count = 1; count < 60; count += 1) {
      expect(shown(KEY.repeat(count))).toMatch(/^\**$/);
      expect(shown(KEY.repeat(count).slice(0, -3), false)).toMatch(/^\**$/);
    }
  });

  it('is not more than is read of an answer', () => {
    const long = requestHead(config({ headers: { 'X-Key': 'é'.repeat(4_096) } }));
    expect(long.maxKeptBytes).toBe(MAX_ANSWER_BYTES);
  });
});

describe('what is made of a config', () => {
  it('is made once', () => {
    const one = config();
    expect(requestHead(one)).toBe(requestHead(one));
    expect(requestHead(config())).not.toBe(requestHead(one));
  });
});
