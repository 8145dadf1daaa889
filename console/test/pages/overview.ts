import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { Database } from '../../../src/platform/database/database';
import { eventually } from '../../../test/support/eventually';
import { Receiver } from '../../../test/support/receiver';
import type { ConsoleHarness } from '../harness';
import { section } from '../parts';
import { Shop } from '../shop';

const SCRIPT = '<script>document.title=2</script>';

/** What needs attention, all of it: tests of other pages, too, leave what does. */
const allMatters = async (page: Page): Promise<Locator> => {
  const attention = section(page, 'Needs attention');
  await attention.getByRole('table').waitFor();
  const more = attention.getByRole('button', { name: 'Show more' });
  while ((await more.count()) > 0) await more.click();
  return attention.getByRole('table');
};

export default function overviewTests(harness: ConsoleHarness): void {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await Receiver.start();
  });
  afterAll(() => receiver.stop());

  const aSource = async (name: string): Promise<{ id: string; writeKey: string }> =>
    (await harness.api.post('/sources', { name })).body;

  const send = async (writeKey: string, count: number): Promise<void> => {
    const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
    const events = Array.from({ length: count }, () => ({ type: 'track', event: 'Seen', userId: 'ada' }));
    const { status } = await harness.api
      .with({ authorization })
      .post('/v1/batch?defaults=true', { batch: [...events, { type: 'track', userId: 'ada' }] });
    expect(status).toBe(400);
  };

  it('shows what came in and went out, by source and by destination, and follows it', async () => {
    const [sourceName, destinationName] = [`Shop ${randomUUID()}`, `Hook ${SCRIPT} ${randomUUID()}`];
    const { id, writeKey } = await aSource(sourceName);
    const { body: destination } = await harness.api.post('/destinations', {
      name: destinationName,
      type: 'webhook',
      config: { url: receiver.url },
      sources: [id],
    });
    const page = await harness.open('reader', '/overview');
    const source = page.getByRole('table', { name: 'Sources' }).getByRole('row', { name: sourceName });
    await source.getByText('No event yet').waitFor();
    await send(writeKey, 3);
    await source.getByText('Sending').waitFor();
    expect((await source.innerText()).split(/\s+/).slice(-4)).toEqual(['3', '0', '1', '0']);
    const row = page.getByRole('table', { name: 'Destinations' }).getByRole('row', { name: destinationName });
    await row.getByText('Healthy').waitFor();
    await eventually(async () => expect(await row.innerText()).toMatch(/Healthy\s[^]*\s3\s/));
    await page.getByRole('img', { name: 'Events by minute' }).waitFor();
    const ledger = `/console/destinations/${destination.id}`;
    const links = await row.getByRole('link').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      ledger,
      `${ledger}/deliveries?state=pending`,
      `${ledger}/dead-letters`,
    ]);
    harness.deleteAfterwards(`/destinations/${destination.id}`);
  });

  it('calls no source silent whose events are all in quarantine, and says that released ones are accepted, too', async () => {
    const { body: plan } = await harness.api.post('/tracking-plans', {
      name: `Plan ${randomUUID()}`,
      unplannedEvents: 'quarantine',
      rules: [],
    });
    const name = `Shop ${randomUUID()}`;
    const { id, writeKey } = await aSource(name);
    await harness.api.put(`/sources/${id}`, { trackingPlanId: plan.id });
    await send(writeKey, 3);
    const page = await harness.open('reader', '/overview');
    const source = page.getByRole('table', { name: 'Sources' }).getByRole('row', { name });
    await source.getByText('Mostly quarantined').waitFor();
    expect((await source.innerText()).split(/\s+/).slice(-4)).toEqual(['0', '0', '1', '3']);
    await harness.api.post('/quarantined-events/release', { sourceId: id });
    await source.getByText('Sending').waitFor();
    expect((await source.innerText()).split(/\s+/).slice(-4)).toEqual(['3', '0', '1', '3']);
    await page.getByText('when they were sent; what is released counts as accepted, too').waitFor();
  });

  it('has the day as well, under an address of its own, and the bars as a table', async () => {
    const page = await harness.open('admin', '/overview');
    await page.getByText('Last day').click();
    await page.getByRole('img', { name: 'Deliveries by quarter of an hour' }).waitFor();
    expect(page.url()).toContain('span=day');
    await page.getByText('As a table').first().click();
    const table = page.getByRole('table', { name: 'Events by quarter of an hour' });
    await table.getByRole('row').nth(96).waitFor();
    expect(await table.getByRole('row').count()).toBe(96 + 1);
  });

  it('says so where there are more than it shows', async () => {
    const page = await harness.open('reader', '/sources');
    for (const listing of ['sources', 'destinations/stats'])
      await page.route(`**/${listing}?*`, async (route) => {
        if (route.request().url().includes('cursor=')) return route.fulfill({ json: [] });
        const headers = { link: '</further?cursor=more>; rel="next"', 'content-type': 'application/json' };
        await route.fulfill({ response: await route.fetch(), headers });
      });
    await page.goto(`${harness.url}/console/overview`);
    await page.getByText('The first 30 are here.').waitFor();
    await page.getByText('The first 100 are here.').waitFor();
  });

  it('says on top what needs attention, each with a link to where it is set right', async () => {
    const shop = await Shop.open(harness);
    const bad = await shop.aDestination('/bad', { sources: [shop.source.id] });
    const healthy = await shop.aDestination('', { sources: [shop.source.id] });
    const paused = await shop.aDestination('', { sources: [shop.source.id] });
    const idle = await shop.aDestination('', { enabled: false, filter: { types: [] } });
    await harness.api.post(`/destinations/${paused.id}/pause`);
    await shop.send({ userId: 'ada', event: 'Seen' });
    await eventually(async () => {
      const { body } = await harness.api.get(`/destinations/${bad.id}/stats`);
      expect(body).toMatchObject({ deadLetters: 1, health: { state: 'degraded' } });
      const { body: heard } = await harness.api.get(`/sources/${shop.source.id}`);
      expect(heard.lastEventAt).not.toBeNull();
    });
    const { body: plan } = await harness.api.post('/tracking-plans', {
      name: `Plan ${randomUUID()}`,
      unplannedEvents: 'quarantine',
      rules: [],
    });
    const { id: planned, writeKey } = await aSource(`Shop ${randomUUID()}`);
    await harness.api.put(`/sources/${planned}`, { trackingPlanId: plan.id });
    await send(writeKey, 1);
    const rules = [{ field: 'event_count', operator: 'gte', value: 1_000_000 }];
    const { body: segment } = await harness.api.post('/segments', { name: `Buyers ${randomUUID()}`, rules });
    await harness.api.put(`/sources/${shop.source.id}`, { silentAfterMinutes: 1 });
    const database = harness.running.app.get(Database);
    await database.query(
      `update source_heard set heard_at = now() - interval '2 minutes' where source_id = $1`,
      [shop.source.id],
    );
    await database.query(`update segment set state = 'failed', failure = 'too many people' where id = $1`, [
      segment.id,
    ]);

    const page = await harness.open('reader', '/overview');
    const matters = await allMatters(page);
    const told = async (name: string): Promise<[string, string | null]> => {
      const row = matters.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
      const link = row.getByRole('link', { name, exact: true });
      return [await row.getByRole('cell').nth(1).innerText(), await link.getAttribute('href')];
    };
    expect(await told(`Destination ${bad.name}`)).toEqual([
      expect.stringMatching(/^Degraded\s+many of the latest tries failed\s+since /),
      `/console/destinations/${bad.id}`,
    ]);
    expect(await told(`Dead letters of ${bad.name}`)).toEqual([
      '1 waits to be sent again or discarded.',
      `/console/destinations/${bad.id}/dead-letters`,
    ]);
    expect(await told(`Source ${shop.source.name}`)).toEqual([
      expect.stringMatching(/^Silent\s+since /),
      `/console/sources/${shop.source.id}`,
    ]);
    expect(await told(`Segment ${segment.name}`)).toEqual([
      expect.stringMatching(/^Failed\s+too many people$/),
      `/console/segments/${segment.id}`,
    ]);
    expect(await told('Quarantined events')).toEqual([
      expect.stringMatching(/^\d+ waits? to be released or discarded\.$/),
      '/console/events/quarantined',
    ]);
    expect(await told(`Destination ${paused.name}`)).toEqual([
      expect.stringMatching(/^Paused\s+by an operator\s+since [^]*\s1 waits for somebody to resume it\.$/),
      `/console/destinations/${paused.id}`,
    ]);
    for (const { name } of [idle, healthy]) expect(await matters.getByText(name).count()).toBe(0);
    expect(await harness.seriousViolations(page)).toEqual([]);
    await harness.api.put(`/sources/${shop.source.id}`, { silentAfterMinutes: null });
    for (const { id } of [bad, healthy, paused, idle]) harness.deleteAfterwards(`/destinations/${id}`);
    harness.deleteAfterwards(`/segments/${segment.id}`);
    await shop.close();
  });

  it('says what is late, what is rejected, and what stands still', async () => {
    const shop = await Shop.open(harness);
    const { id, name } = await shop.aDestination('', { sources: [shop.source.id] });
    const page = await harness.open('reader', '/sources');
    await page.route(`${harness.url}/destinations/stats*`, async (route) => {
      const response = await route.fetch();
      const rows = (await response.json()) as { id: string }[];
      await route.fulfill({
        response,
        json: rows.map((row) => (row.id === id ? { ...row, overdueSeconds: 301 } : row)),
      });
    });
    await page.route(`${harness.url}/stats`, async (route) => {
      const response = await route.fetch();
      const stats = (await response.json()) as { events: object };
      const events = { ...stats.events, inboxRows: 2, inboxOldestSeconds: 90 };
      const totals = { sourceId: shop.source.id, accepted: 1, duplicate: 0, rejected: 3, quarantined: 1 };
      await route.fulfill({ response, json: { ...stats, events, sources: [totals] } });
    });
    const day = new Date(Date.now() - 86_400_000).toISOString();
    const replay = { id: randomUUID(), destinationId: id, state: 'running', updatedAt: day };
    await page.route(`${harness.url}/replays`, (route) => route.fulfill({ json: [replay] }));
    await page.goto(`${harness.url}/console/overview`);
    const matters = await allMatters(page);
    const row = (of: string): Locator => matters.getByRole('row', { name: of });
    await row('The inbox').getByText('the oldest has waited for 2 min.').waitFor();
    await row(`What waits for ${name}`).getByText('Deliveries are late by 5 min.').waitFor();
    await row(`Replay to ${name}`).getByText('Stands still').waitFor();
    await row(`Source ${shop.source.name}`).getByText('3 events in the last hour.').waitFor();
    harness.deleteAfterwards(`/destinations/${id}`);
    await shop.close();
  });

  it('says in one line that nothing needs attention', async () => {
    const page = await harness.open('reader', '/sources');
    for (const listing of ['destinations/stats', 'sources', 'segments', 'replays'])
      await page.route(`${harness.url}/${listing}*`, (route) => route.fulfill({ json: [] }));
    await page.route(`${harness.url}/stats`, async (route) => {
      const response = await route.fetch();
      const quarantine = { events: 0, countedUpTo: 1_000 };
      await route.fulfill({ response, json: { ...((await response.json()) as object), quarantine } });
    });
    await page.goto(`${harness.url}/console/overview`);
    await section(page, 'Needs attention').getByText('Nothing needs attention.').waitFor();
  });

  it('says that no bar is high where nothing was delivered', async () => {
    const page = await harness.open('reader', '/sources');
    await page.route(`${harness.url}/stats?*`, async (route) => {
      const response = await route.fetch();
      const stats = (await response.json()) as { steps: object[] };
      const steps = stats.steps.map((step) => ({ ...step, accepted: 7, delivered: 0, failed: 0, dead: 0 }));
      await route.fulfill({ response, json: { ...stats, steps } });
    });
    await page.goto(`${harness.url}/console/overview`);
    await section(page, 'Deliveries').getByText('highest 0', { exact: true }).waitFor();
  });

  it('is where the console begins', async () => {
    const page = await harness.open('reader', '/');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(await page.getByRole('link', { name: 'Overview' }).getAttribute('aria-current')).toBe('page');
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const page = await harness.open('admin', '/overview', options);
    await page.getByRole('img', { name: 'Events by minute' }).waitFor();
    await page.getByRole('table', { name: 'Sources' }).waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  });
}
