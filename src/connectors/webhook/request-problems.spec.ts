import { requestProblems } from './request-problems';
import type { WebhookConfig } from './webhook-config';

function told(members: object): string[] {
  const config = { url: 'https://a.test', secret: 's', ...members } as WebhookConfig;
  return requestProblems(config).map(({ path, code }) => `${path} ${code}`);
}

describe('what requests may be like', () => {
  it.each<[string, object]>([
    ['nothing of it', {}],
    ['headers', { headers: { 'X-A': 'é ~\t1', "!#$%&'*+.^_`|~9": '=', Accept: '*/*', 'user-agent': 'x' } }],
    ['a long value', { headers: { 'X-A': 'x'.repeat(4_096) } }],
    ['basic', { auth: { type: 'basic', username: 'Zoë', password: 'p:w ☕' } }],
    ['bearer', { auth: { type: 'bearer', token: 'eyJh.bGci-_~+/==' } }],
    ['an API key', { auth: { type: 'apiKey', header: 'Authorization', value: 'a key' } }],
    ['a name of the signature', { signatureHeader: 'X-Hub-Signature-256' }],
    ['the usual name of the signature', { signatureHeader: 'x-service-signature' }],
  ])('takes %s', (_, members) => expect(told(members)).toEqual([]));

  it.each([
    'Host',
    'hOST',
    'Content-Type',
    'content-length',
    'Content_Length',
    'X_Service_Signature',
    'webhook_signature',
    'Transfer_Encoding',
    'Content-Anything',
    'X-Service-Signature',
    'webhook-id',
    'Webhook-Signature',
    'webhook-anything',
    'traceparent',
    'tracestate',
    'Connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'proxy-anything',
    'TE',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
    'HTTP2-Settings',
    '',
    'X A',
    'X-A:',
    'X-A\r\nX-B',
    'X-\u0000',
    'X-é',
    'x'.repeat(101),
  ])('refuses a header %j', (name) => {
    expect(told({ headers: { [name]: 'value' } })).toEqual([`headers.${name} header_not_allowed`]);
    expect(told({ auth: { type: 'apiKey', header: name, value: 'value' } })).toEqual([
      'auth.header invalid_auth',
    ]);
  });

  it.each([
    '',
    ' a',
    'a ',
    'a\t',
    'a\r\nX-B: b',
    'a\nb',
    'a\rb',
    'a\u0000',
    'a\u007f',
    'a\u0085b',
    '☕',
    'x'.repeat(4_097),
    1,
    null,
    ['a'],
    { a: 'b' },
  ])('refuses the value %j', (value) => {
    expect(told({ headers: { 'X-A': value } })).toEqual(['headers.X-A invalid_header']);
    expect(told({ auth: { type: 'apiKey', header: 'X-A', value } })).toEqual(['auth.value invalid_auth']);
  });

  it.each<[string, object, string[]]>([
    ['a type that there is not', { type: 'digest' }, ['auth.type unknown']],
    ['no type', { token: 'a' }, ['auth.type unknown']],
    ['a type with the name of what objects have', { type: 'constructor' }, ['auth.type unknown']],
    ['what it lacks', { type: 'basic' }, ['auth.username invalid_auth', 'auth.password invalid_auth']],
    [
      'a member of another type',
      { type: 'bearer', token: 'a', password: 'b' },
      ['auth.password unknown_field'],
    ],
    [
      'a colon in the name',
      { type: 'basic', username: 'a:b', password: 'c' },
      ['auth.username invalid_auth'],
    ],
    [
      'controls in the name',
      { type: 'basic', username: 'a\nb', password: 'c' },
      ['auth.username invalid_auth'],
    ],
    [
      'controls in the password',
      { type: 'basic', username: 'a', password: 'c\r' },
      ['auth.password invalid_auth'],
    ],
    ['a space in a token', { type: 'bearer', token: 'a b' }, ['auth.token invalid_auth']],
    ['a line end in a token', { type: 'bearer', token: 'a\r\nb' }, ['auth.token invalid_auth']],
    ['a number', { type: 'bearer', token: 7 }, ['auth.token invalid_auth']],
  ])('refuses of auth %s', (_, auth, expected) => expect(told({ auth })).toEqual(expected));

  it.each<[string, object, string[]]>([
    [
      'in two ways of writing it',
      { headers: { 'X-A': 'a', 'x-a': 'b' } },
      ['headers.X-A duplicate_header', 'headers.x-a duplicate_header'],
    ],
    [
      'by auth as well',
      { headers: { authorization: 'a' }, auth: { type: 'bearer', token: 'b' } },
      ['headers.authorization duplicate_header', 'auth duplicate_header'],
    ],
    [
      'by an API key as well',
      { headers: { 'X-Key': 'a' }, auth: { type: 'apiKey', header: 'x-key', value: 'b' } },
      ['headers.X-Key duplicate_header', 'auth duplicate_header'],
    ],
    [
      'as the signature',
      { headers: { 'X-Signed': 'a' }, signatureHeader: 'x-signed' },
      ['signatureHeader duplicate_header', 'headers.X-Signed duplicate_header'],
    ],
  ])('refuses a header that is sent %s', (_, members, expected) => expect(told(members)).toEqual(expected));

  it.each(['Authorization', 'user-agent', 'Cookie', 'Host', 'webhook-signature', 'content-md5', 'a b'])(
    'refuses %s as the name of the signature',
    (signatureHeader) => expect(told({ signatureHeader })).toEqual(['signatureHeader header_not_allowed']),
  );

  it('takes twenty headers, and no more', () => {
    const headers = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-${index}`, 'a']));
    expect(told({ headers: headers(20) })).toEqual([]);
    expect(told({ headers: headers(21) })).toEqual(['headers too_many']);
  });
});
