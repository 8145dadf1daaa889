import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/support/eventually';
import type { ConsoleHarness } from '../harness';
import { outOfSight } from '../out-of-sight';
import { table } from '../parts';
import { Shop } from '../shop';

const MINUTE_MS = 60_000;

/** Of the window; see `ConsoleHarness.open`. */
const DESKTOP_WIDTH = 1280;

const IS_VIP = { field: 'vip', operator: 'eq', value: true };

/** All pages with tables: each has rows of its own. */
export default function tablesTests(harness: ConsoleHarness): void {
  let shop: Shop;
  beforeAll(async () => (shop = await Shop.open(harness)));
  afterAll(() => shop.close());

  const create = async (path: string, body: object): Promise<{ id: string; writeKey: string }> => {
    const answer = await harness.api.post(path, body);
    expect(answer).toMatchObject({ status: 201 });
    return answer.body;
  };
  /** Waits until the listing has something. */
  const first = (path: string): Promise<{ id: string }> =>
    eventually(async () => {
      const { body } = await harness.api.get(path);
      expect(body).not.toEqual([]);
      return body[0];
    });
  /** With a second version. */
  const changed = async (path: string, body: object, change: object): Promise<string> => {
    const { id } = await create(path, { name: `Changed ${randomUUID()}`, ...body });
    expect((await harness.api.put(`${path}/${id}`, change)).status).toBe(200);
    return id;
  };

  it('are no wider than the page, however long a word in a name or a description is', async () => {
    const [name, description] = [`N${randomUUID()}${'n'.repeat(150)}`, 'd'.repeat(1_500)];
    const ids: Record<string, string> = {};
    for (const [path, members] of [
      ['/segments', { description, rules: [IS_VIP] }],
      ['/sources', { description }],
      ['/tracking-plans', { description, rules: [] }],
      ['/transformations', { description, code: 'export const transform = (event) => event;\n' }],
      ['/destinations', { type: 'webhook', config: { url: 'https://orders.example.com/' } }],
    ] as const) {
      const { id } = await create(path, { name, ...members });
      harness.deleteAfterwards(`${path}/${id}`);
      ids[path] = id;
    }
    const [userId, event] = [`u${randomUUID()}${'u'.repeat(400)}`, `${name}${'e'.repeat(600)}`];
    const destination = await shop.aDestination('/bad', { sources: [shop.source.id] });
    await shop.send({ userId, event });
    await first(`/dead-letters?destinationId=${destination.id}`);
    const person = new URLSearchParams({ userId }).toString();
    const page = await harness.open('admin', '/overview');
    // Those of other tests may fill the first page of a listing.
    for (const [listing, id] of [
      ...Object.entries(ids),
      ['/destinations/stats', ids['/destinations']!] as const,
    ]) {
      const before = `${id.slice(0, -12)}000000000000`; // Listings are in the order of ids.
      const { body: json } = await harness.api.get(`${listing}?limit=1&cursor=${before}`);
      await page.route(`**${listing}?*`, (route) => route.fulfill({ json }));
    }
    for (const [path, ...tables] of [
      ['/overview', 'Sources', 'Destinations'],
      ['/sources', 'Sources'],
      ['/segments', 'Segments'],
      ['/destinations', 'Destinations'],
      ['/tracking-plans', 'Tracking plans'],
      ['/transformations', 'Transformations'],
      [`/events?${person}`, 'Accepted events'],
      [`/destinations/${destination.id}/dead-letters`, 'Dead letters'],
      [`/audit?resourceId=${ids['/segments']}`, 'Changes'],
    ] as const) {
      await page.goto(`${harness.url}/console${path}`);
      for (const one of tables) {
        await table(page, one).getByText(name).first().waitFor();
        const { x = 0, width = 0 } = (await table(page, one).boundingBox()) ?? {};
        expect({ path, one, outOfSight: Math.max(0, x + width - DESKTOP_WIDTH) }).toEqual({
          path,
          one,
          outOfSight: 0,
        });
      }
    }
  });

  it('have every value in sight on a phone, beside the name of its column', async () => {
    const [userId, event] = [randomUUID(), `Order of a customer with a long name ${randomUUID()}`];
    const destination = await shop.aDestination('/bad', { sources: [shop.source.id] });
    const [trait, mark] = [`count_${userId.replaceAll('-', '')}`, randomUUID()];
    const segment = await create('/segments', {
      name: `Those of ${mark}`,
      rules: [{ field: 'mark', operator: 'eq', value: mark }],
    });
    await create('/computed-traits', { name: trait, event, aggregate: 'count', within: '30d' });
    await shop.sendAll(
      { type: 'identify', userId, anonymousId: randomUUID(), traits: { mark, long: 'x'.repeat(300) } },
      { type: 'track', userId, event },
    );
    await shop.send({ userId }, 400);
    const plan = await changed(
      '/tracking-plans',
      { rules: [], unplannedEvents: 'quarantine' },
      { unplannedProperties: 'observe' },
    );
    const planned = await create('/sources', { name: `Planned ${randomUUID()}`, trackingPlanId: plan });
    const authorization = `Basic ${Buffer.from(`${planned.writeKey}:`).toString('base64')}`;
    await harness.api.with({ authorization }).post('/v1/track', { userId, event });
    const code = 'export const transform = (event) => event;\n';
    const transformation = await changed('/transformations', { code }, { code: `${code}// changed\n` });
    const hooked = await create('/sources', { name: `Hooked ${randomUUID()}`, kind: 'webhook' });
    await harness.api.post(`/v1/hooks/${hooked.writeKey}`, { total: 1, long: 'x'.repeat(300) });
    await harness.api.post(`/destinations/${destination.id}/replay`, {
      from: new Date(Date.now() - MINUTE_MS).toISOString(),
    });
    const delivery = await first(`/dead-letters?destinationId=${destination.id}`);
    await first(`/segments/${segment.id}/members`);
    await first(`/quarantined-events?sourceId=${planned.id}`);
    await first(`/tracking-plans/${plan}/violations`);
    await first(`/hook-requests?sourceId=${hooked.id}`);
    await first(`/rejected-events?sourceId=${shop.source.id}`);

    const tables: readonly (readonly [path: string, ...names: string[]])[] = [
      ['/overview', 'Sources', 'Destinations'],
      ['/sources', 'Sources'],
      [`/sources/${hooked.id}`, 'Failed requests'],
      [`/sources/${shop.source.id}`, 'Rejected events by code'],
      [`/events?sourceId=${shop.source.id}`, 'Accepted events'],
      ['/events/rejected', 'Rejected events', 'Rejected events by code'],
      [`/events/quarantined?sourceId=${planned.id}`, 'Quarantined events'],
      [`/people?prefix=${userId}`, 'People'],
      [`/people/person?userId=${userId}`, 'Traits', 'Ids', 'Computed traits'],
      ['/segments', 'Segments'],
      [`/segments/${segment.id}`, 'Members'],
      ['/computed-traits', 'Computed traits'],
      ['/destinations', 'Destinations'],
      [`/destinations/${destination.id}`, 'Tries', 'Replays'],
      [`/destinations/${destination.id}/deliveries`, 'Deliveries'],
      [`/destinations/${destination.id}/dead-letters`, 'Dead letters'],
      [`/destinations/${destination.id}/deliveries/${delivery.id}`, 'Tries'],
      ['/tracking-plans', 'Tracking plans'],
      [`/tracking-plans/${plan}`, 'Violations'],
      [`/tracking-plans/${plan}/versions`, 'Versions'],
      [`/tracking-plans/${plan}/versions/1`, 'Differences'],
      ['/transformations', 'Transformations'],
      [`/transformations/${transformation}/versions`, 'Versions'],
      [`/audit?resourceId=${plan}`, 'Changes'],
    ];
    const page = await harness.open('admin', '/overview', { phone: true });
    for (const [path, ...names] of tables) {
      await page.goto(`${harness.url}/console${path}`);
      for (const name of names) await table(page, name).first().getByRole('cell').first().waitFor();
      expect({ path, outOfSight: await outOfSight(page) }).toEqual({ path, outOfSight: [] });
    }
  });
}
