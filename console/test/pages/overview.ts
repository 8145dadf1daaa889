import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/support/eventually';
import { Receiver } from '../../../test/support/receiver';
import type { ConsoleHarness } from '../harness';

const SCRIPT = '<script>document.title=2</script>';

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

  it('calls no source silent whose events are all in quarantine', async () => {
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
        const headers = { link: '</further?cursor=more>; rel="next"', 'content-type': 'application/json' };
        await route.fulfill({ response: await route.fetch(), headers });
      });
    await page.goto(`${harness.url}/console/overview`);
    await page.getByText('The first 30 are here.').waitFor();
    await page.getByText('The first 100 are here.').waitFor();
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
