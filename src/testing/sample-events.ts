import type { EventType } from '../events/customer-event';

const COMMON = {
  anonymousId: 'anon-1',
  userId: 'user-1',
  timestamp: '2026-01-02T03:04:05.678Z',
  receivedAt: '2026-01-02T03:04:06.000Z',
  context: {
    ip: '203.0.113.7',
    locale: 'de-DE',
    userAgent: 'Mozilla/5.0',
    page: { url: 'https://shop.example.com/', title: 'Shop', referrer: '' },
    campaign: { name: 'winter', source: 'mail' },
  },
};

const SAMPLES: readonly Readonly<Record<string, unknown>>[] = [
  {
    type: 'track',
    event: 'Order Completed',
    properties: { amount: 12.5, items: [{ sku: 'a', tags: ['x'] }] },
  },
  { type: 'track', event: 'Ünïcödé ☕ \u2028 "quoted" <b>&amp;', properties: {} },
  { type: 'track', event: 'Bare', userId: undefined, context: undefined },
  { type: 'identify', traits: { email: 'ann@example.com', age: 41, plan: null, address: { city: 'Köln' } } },
  { type: 'page', name: 'Home', properties: { url: 'https://shop.example.com/', title: 'Shop' } },
  { type: 'page' },
  { type: 'screen', name: 'Cart', properties: {} },
  { type: 'group', groupId: 'acme', traits: { name: 'Acme', employees: 20 } },
  { type: 'alias', previousId: 'anon-1' },
];

/** An event as a connector gets it, with a name to tell it by. */
export interface SampleEvent {
  readonly name: string;
  readonly eventType: EventType;
  readonly deliveryId: string;
  readonly body: string;
}

/** Events of every type, plain and odd ones, as connectors get them. */
export function sampleEvents(): SampleEvent[] {
  return SAMPLES.map((sample, index) => ({
    name: `${String(sample.type)} ${index + 1}`,
    eventType: sample.type as EventType,
    deliveryId: `0190a1b2-0000-7000-8000-${String(index + 1).padStart(12, '0')}`,
    body: JSON.stringify({ ...COMMON, messageId: `sample-${index + 1}`, ...sample }),
  }));
}
