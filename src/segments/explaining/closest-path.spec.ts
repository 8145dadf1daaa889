import type { JsonObject } from '../../events/customer-event';
import { splitPath } from '../../events/event-path';
import { closestPath, pathsIn } from './closest-path';

const EVENTS: readonly JsonObject[] = [
  { context: { page: { title: 'Home' } }, properties: { total: 5, order: { coupon: 'x', id: 1 } } },
  { properties: { total: 6, items: [{ sku: 1 }], 'plan.name': 'pro' } },
];

describe('the path that was probably meant', () => {
  it.each([
    ['properties.totl', 'properties.total'],
    ['propertys.total', 'properties.total'],
    ['Properties.Total', 'properties.total'],
    ['event.properties.total', 'properties.total'],
    ['total', 'properties.total'],
    ['totl', 'properties.total'],
    ['properties.coupon', 'properties.order.coupon'],
    ['properties.copuon', 'properties.order.coupon'],
    ['order.coupon', 'properties.order.coupon'],
    ['properties.ordr', 'properties.order'],
    ['properties.title', 'context.page.title'],
    [String.raw`properties.plan\.nam`, String.raw`properties.plan\.name`],
    ['properties.revenue', undefined],
    ['properties.items.sku', undefined],
  ])('by %s is %s', (given, meant) => {
    expect(closestPath(splitPath(given), pathsIn(EVENTS))).toBe(meant);
  });

  it('is looked for in events of any shape', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`member ${at}`, at]));
    expect(pathsIn([{ properties: deep, wide }]).length).toBe(1_000);
    expect(pathsIn([{ properties: deep }])).toContain('properties.a.a');
  });
});
