import type { EventType } from '../../events/customer-event';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';

interface Example {
  readonly type: EventType;
  readonly messageId: string;
  readonly timestamp: string;
  readonly [member: string]: unknown;
}

/** One event of each type, as Swagger shows them; each can be sent as it is. */
export const EVENT_EXAMPLES: Readonly<Record<EventType, Example>> = {
  track: {
    type: 'track',
    event: 'Order Completed',
    userId: EXAMPLE_IDS.user,
    messageId: 'example-track-1',
    timestamp: '2026-11-20T12:00:00.000Z',
    properties: { orderId: 'o-42', revenue: 9.5, currency: 'EUR' },
    context: { ip: '203.0.113.7', locale: 'en-US' },
  },
  identify: {
    type: 'identify',
    userId: EXAMPLE_IDS.user,
    anonymousId: 'anon-7f3a',
    messageId: 'example-identify-1',
    timestamp: '2026-11-20T12:00:00.000Z',
    traits: { email: 'ada@example.com', plan: 'pro' },
  },
  page: {
    type: 'page',
    name: 'Home',
    anonymousId: 'anon-7f3a',
    messageId: 'example-page-1',
    timestamp: '2026-11-20T12:00:00.000Z',
    properties: { url: 'https://shop.example/', title: 'Shop', referrer: '', path: '/', search: '' },
  },
  screen: {
    type: 'screen',
    name: 'Main',
    userId: EXAMPLE_IDS.user,
    messageId: 'example-screen-1',
    timestamp: '2026-11-20T12:00:00.000Z',
    properties: {},
  },
  group: {
    type: 'group',
    groupId: EXAMPLE_IDS.group,
    userId: EXAMPLE_IDS.user,
    messageId: 'example-group-1',
    timestamp: '2026-11-20T12:00:00.000Z',
    traits: { name: 'Acme', employees: 12 },
  },
  alias: {
    type: 'alias',
    previousId: 'anon-7f3a',
    userId: EXAMPLE_IDS.user,
    messageId: 'example-alias-1',
    timestamp: '2026-11-20T12:00:00.000Z',
  },
};
