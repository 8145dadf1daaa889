import { keptHeaders, keptQuery } from './kept-headers';

describe('keptHeaders', () => {
  it.each([
    'authorization',
    'proxy-authorization',
    'cookie',
    'set-cookie',
    'x-hub-signature-256',
    'stripe-signature',
    'x-shopify-hmac-sha256',
    'webhook-signature',
    'x-gitlab-token',
    'x-api-key',
    'apikey',
    'x-write-key',
    'x-auth-user',
    'x-sig',
    'key',
    'x-forwarded-for',
    'x-forwarded-client-cert',
    'cf-connecting-ip',
    'host',
    'content-type',
    'traceparent',
  ])('leaves out %s', (name) => {
    expect(keptHeaders({ [name]: 'value' })).toEqual({});
  });

  it('leaves out the header of a signature, whatever it is called', () => {
    expect(keptHeaders({ 'x-proof': 'a', 'x-event': 'b' }, 'x-proof')).toEqual({ 'x-event': 'b' });
  });

  it.each([
    'x-github-event',
    'x-github-delivery',
    'x-shopify-topic',
    'webhook-id',
    'user-agent',
    'x-event-key',
  ])('keeps %s', (name) => {
    expect(keptHeaders({ [name]: 'value' })).toEqual({ [name]: 'value' });
  });

  it('writes one that came several times as one', () => {
    expect(keptHeaders({ 'x-tag': ['a', 'b'] })).toEqual({ 'x-tag': 'a, b' });
  });
});

describe('keptQuery', () => {
  it('leaves out what proves who sends', () => {
    const query = { shop: 'a', access_token: 'b', signature: 'c', apiKey: 'd', tag: ['e', 'f'] };
    const called = { key: 'g', sig: 'h', code: 'i', 'country-code': 'j', keyword: 'k' };
    expect(keptQuery({ ...query, ...called })).toEqual({
      shop: 'a',
      tag: ['e', 'f'],
      'country-code': 'j',
      keyword: 'k',
    });
  });
});
