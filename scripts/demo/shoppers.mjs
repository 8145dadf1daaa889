// A day in a shop: what a few dozen visitors do, as calls of an analytics SDK.

const FIRST_NAMES = ['Ada', 'Bruno', 'Chloe', 'Deniz', 'Emeka', 'Freya', 'Goran', 'Hana', 'Ines', 'Jonas'];
const LAST_NAMES = ['Adeyemi', 'Berg', 'Costa', 'Dubois'];
const PRODUCTS = [
  { sku: 'TEA-01', name: 'Green tea', price: 8.5 },
  { sku: 'MUG-07', name: 'Stoneware mug', price: 18 },
  { sku: 'POT-02', name: 'Cast iron teapot', price: 64.9 },
  { sku: 'TIN-11', name: 'Storage tin', price: 12 },
];
/** The visits lie in the last hours, so that the events of a visitor follow each other as they would. */
const FIRST_VISIT_MS_AGO = 6 * 60 * 60 * 1000;
const MS_BETWEEN_VISITORS = 5 * 60 * 1000;
const MS_BETWEEN_STEPS = 25_000;
const COMPANIES = ['Northwind', 'Initech', 'Globex'];

/** `[method of the SDK, its argument]` in the order in which they happen, all visitors interleaved. */
export function shopEvents(visitors) {
  const firstVisit = Date.now() - FIRST_VISIT_MS_AGO;
  const journeys = Array.from({ length: visitors }, (_, number) =>
    journey(number).map(([method, event], step) => {
      const timestamp = new Date(firstVisit + number * MS_BETWEEN_VISITORS + step * MS_BETWEEN_STEPS);
      return [method, { ...event, timestamp }];
    }),
  );
  const longest = Math.max(...journeys.map((steps) => steps.length));
  return Array.from({ length: longest }, (_, step) => journeys.map((steps) => steps[step]))
    .flat()
    .filter((call) => call !== undefined);
}

/** Who the numbered visitor turns out to be; every third one is on the gold plan. */
export function shopper(number) {
  const firstName = FIRST_NAMES[number % FIRST_NAMES.length];
  const lastName = LAST_NAMES[Math.floor(number / FIRST_NAMES.length) % LAST_NAMES.length];
  return {
    userId: `user-${number + 1}`,
    anonymousId: `visitor-${number + 1}`,
    plan: number % 3 === 0 ? 'gold' : 'free',
    name: `${firstName} ${lastName}`,
    email: `${firstName}.${lastName}@example.com`.toLowerCase(),
  };
}

function journey(number) {
  const { userId, anonymousId, plan, name, email } = shopper(number);
  const product = PRODUCTS[number % PRODUCTS.length];
  const viewed = { ...product, currency: 'EUR' };
  const steps = [
    ['page', { anonymousId, name: 'Home', properties: { path: '/', referrer: 'https://search.example' } }],
    ['track', { anonymousId, event: 'Product Viewed', properties: viewed }],
    ['page', { anonymousId, name: 'Sign up', properties: { path: '/signup' } }],
    ['identify', { userId, anonymousId, traits: { name, email, plan } }],
    ['track', { userId, event: 'Product Added', properties: { ...viewed, quantity: 1 + (number % 3) } }],
  ];
  if (number % 4 === 0) {
    steps.push(['group', { userId, groupId: COMPANIES[number % COMPANIES.length].toLowerCase() }]);
  }
  if (number % 5 !== 4) {
    const order = {
      orderId: `order-${number + 1}`,
      total: product.price * (1 + (number % 3)),
      currency: 'EUR',
    };
    steps.push(
      ['track', { userId, event: 'Order Completed', properties: order }],
      ['identify', { userId, traits: { city: ['Berlin', 'Lagos', 'Lisbon'][number % 3] } }],
      ['page', { userId, name: 'Thank you', properties: { path: '/thanks' } }],
    );
  }
  return steps;
}
