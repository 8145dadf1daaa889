import { sentIdOf } from './sent-id';

describe('sentIdOf', () => {
  it.each([
    ['github', { 'x-github-delivery': 'd-1' }, {}, 'd-1'],
    ['standard-webhooks', { 'svix-id': 'm-1' }, {}, 'm-1'],
    ['stripe', {}, { id: 'evt_1' }, 'evt_1'],
    ['shopify', { 'x-shopify-event-id': 'e-1' }, {}, 'e-1'],
    ['shopify', { 'x-shopify-event-id': 'e-1', 'x-shopify-topic': 'orders/paid' }, {}, 'e-1-orders/paid'],
    ['shopify', { 'x-shopify-event-id': 'e-1', 'x-shopify-topic': 'x'.repeat(300) }, {}, 'e-1'],
    ['shopify', { 'x-shopify-topic': 'orders/paid' }, {}, undefined],
    ['hmac', { 'webhook-id': 'm-1' }, { id: 'evt_1' }, undefined],
  ] as const)('of %s with %j and %j is %s', (scheme, headers, body, id) => {
    expect(sentIdOf(scheme, headers, body)).toBe(id);
  });
});
