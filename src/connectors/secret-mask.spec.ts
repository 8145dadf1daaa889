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
    ['by PHP', String.raw`{"a":"g\u00e9h\/eim & <1>"}`, '{"a":"****"}'],
    ['by what escapes all but ASCII', String.raw`{"a":"g\u00e9h/eim & <1>"}`, '{"a":"****"}'],
    ['on a page', 'a géh/eim &amp; &lt;1&gt; b', 'a **** b'],
    [
      'as UTF-8, though it was sent as Latin-1',
      Buffer.from('géh/eim & <1>', 'latin1').toString('utf8'),
      '****',
    ],
  ])('hides a secret that is repeated %s', (_, text, expected) => {
    expect(new SecretMask(['géh/eim & <1>']).text(text)).toBe(expected);
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
