import { SecretMask } from './secret-mask';

describe('SecretMask', () => {
  const secret = 's3cr&t "of" all';
  const mask = new SecretMask([secret, { nested: ['inner-secret', true, null] }, '', 's3cr']);

  it.each([
    ['as it is', `a ${secret} b`, 'a **** b'],
    ['in a URL', `https://x.test/?key=${encodeURIComponent(secret)}&a=1`, 'https://x.test/?key=****&a=1'],
    ['in JSON', JSON.stringify({ token: secret }), '{"token":"****"}'],
    ['in Base64', Buffer.from(`user:${secret}`).toString('base64'), '****'],
    ['in Base64 for URLs', `~${Buffer.from(`>>>${secret}`).toString('base64url')}~`, '~****~'],
    ['within an object', 'inner-secret', '****'],
    ['not, where there is none', 'nothing "to" hide, c2VjcmV0', 'nothing "to" hide, c2VjcmV0'],
  ])('hides a secret that is written %s', (_, text, expected) => {
    expect(mask.text(text)).toBe(expected);
  });

  it.each([
    ['Authorization', 'Bearer made-of-a-secret', 'Bearer ****'],
    ['authorization', 'whatever', '****'],
    ['Cookie', 'session=1; other=2', '****'],
    ['x-token', `token ${secret}`, 'token ****'],
    ['content-type', 'application/json', 'application/json'],
  ])('hides what proves who sends in %s: %s', (name, value, expected) => {
    expect(mask.header(name, value)).toBe(expected);
  });
});
