// The event all runs use: what a browser SDK sends of an order, about 600 bytes.

export const MESSAGE_ID_LENGTH = 36;
export const USER_ID_LENGTH = 8;
/** People the events are spread over. */
export const USERS = 100_000;

export function sampleEvent(messageId, userId, timestamp) {
  return {
    type: 'track',
    event: 'Order Completed',
    userId,
    anonymousId: 'ca383fef-5f03-4109-a475-91e71ab209b5',
    messageId,
    timestamp,
    properties: { orderId: 'o-12345', revenue: 9.5, currency: 'EUR', coupon: null, products: 3 },
    context: {
      library: { name: 'analytics.js', version: '2.11.1' },
      page: { path: '/shop/item', title: 'Item', url: 'https://shop.example/shop/item?utm_source=news' },
      userAgent:
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/147.0.0.0 Safari/537.36',
      locale: 'en-US',
      campaign: { source: 'news', name: 'fall' },
    },
    integrations: {},
  };
}

/** A messageId of fixed length, unique for `run` and `number`. */
export function messageIdOf(run, number) {
  return `${run}-${String(number).padStart(MESSAGE_ID_LENGTH - run.length - 1, '0')}`;
}

/** One of so many people. */
export function userIdOf(number, users = USERS) {
  return `u${String(number % users).padStart(USER_ID_LENGTH - 1, '0')}`;
}
