import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../../test/support/eventually';
import { Receiver } from '../../../test/support/receiver';
import type { ConsoleHarness } from '../harness';

const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

export default function eventsTests(harness: ConsoleHarness): void {
  let source: { id: string; name: string; writeKey: string };
  let receiver: Receiver;

  beforeAll(async () => {
    source = (await harness.api.post('/sources', { name: `Shop ${randomUUID()}` })).body;
    receiver = await Receiver.start();
    receiver.behaviour = ({ path }, response) =>
      response.writeHead(path === '/bad' ? 500 : 200).end(path === '/bad' ? 'no room' : 'taken');
  });
  afterAll(() => receiver.stop());

  const send = async (event: object, status = 200): Promise<void> => {
    const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
    const answer = await harness.api.with({ authorization }).post('/v1/track', event);
    expect(answer.status).toBe(status);
  };

  const aDestination = async (members: object = {}, path = ''): Promise<{ id: string; name: string }> => {
    const name = `Receiver ${randomUUID()}`;
    const config = { url: `${receiver.url}${path}` };
    const { status, body } = await harness.api.post('/destinations', {
      name,
      type: 'webhook',
      config,
      ...members,
    });
    expect(status).toBe(201);
    return body;
  };

  const table = (page: Page, name: string): Locator => page.getByRole('table', { name, exact: true });

  it('finds events by what is in the address, and puts a search there', async () => {
    const [userId, messageId] = [randomUUID(), randomUUID()];
    await send({ userId, event: 'Order Completed', messageId });
    await send({ userId, event: 'Cart Viewed' });
    const page = await harness.open('reader', `/events?userId=${userId}`);
    await table(page, 'Accepted events').getByRole('link', { name: 'Cart Viewed' }).waitFor();
    expect(await page.getByLabel('User id').inputValue()).toBe(userId);
    await page.getByLabel('Message id').fill(messageId);
    await page.getByLabel('Source').selectOption(source.name);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/messageId=/);
    await table(page, 'Accepted events').getByRole('link', { name: 'Order Completed' }).waitFor();
    expect(await table(page, 'Accepted events').getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('sourceId')).toBe(source.id);
    await page.goBack();
    await table(page, 'Accepted events').getByRole('link', { name: 'Cart Viewed' }).waitFor();
    expect(await page.getByLabel('Message id').inputValue()).toBe('');
  });

  it('finds events of a time on the clock of the person', async () => {
    const userId = randomUUID();
    await send({ userId, event: 'Order Completed' });
    const page = await harness.open('admin', `/events?userId=${userId}`);
    await table(page, 'Accepted events').getByRole('link').first().waitFor();
    await page.getByLabel('Received from').fill('2099-01-01T12:30:15');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No such event was accepted.').waitFor();
    const from = new Date('2099-01-01T12:30:15').toISOString();
    expect(new URL(page.url()).searchParams.get('from')).toBe(from);
    expect(await page.getByLabel('Received from').inputValue()).toBe('2099-01-01T12:30:15');
    await page.getByRole('button', { name: 'Clear' }).click();
    await table(page, 'Accepted events').getByRole('link').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
  });

  it('shows all pages of a listing, one after the other', async () => {
    const userId = randomUUID();
    for (let count = 0; count < 51; count += 1) await send({ userId, event: `Step ${count}` });
    const page = await harness.open('reader', `/events?userId=${userId}`);
    await page.getByRole('button', { name: 'Show more' }).click();
    await table(page, 'Accepted events').getByRole('link', { name: 'Step 0', exact: true }).waitFor();
    expect(await table(page, 'Accepted events').getByRole('row').count()).toBe(52);
  });

  it('says what is wrong with a search', async () => {
    harness.expectComplaint(/400/);
    const page = await harness.open('reader', '/events?sourceId=nonsense');
    await page.getByRole('alert').getByText('sourceId', { exact: true }).waitFor();
  });

  it('draws the way of an event, and says why a destination did not get it', async () => {
    const other = (await harness.api.post('/sources', { name: `App ${randomUUID()}` })).body;
    const rules = [{ field: 'event_count', operator: 'gte', value: 1_000_000 }];
    const { body: segment } = await harness.api.post('/segments', { name: `Whales ${randomUUID()}`, rules });
    const good = await aDestination();
    const bad = await aDestination({}, '/bad');
    const paused = await aDestination();
    await harness.api.post(`/destinations/${paused.id}/pause`);
    const elsewhere = await aDestination({ sources: [other.id] });
    const picky = await aDestination({
      filter: {
        types: ['page'],
        events: ['Cart *'],
        conditions: [{ field: 'properties.total', operator: 'gte', value: 100 }],
        segments: [segment.id],
      },
    });
    const messageId = randomUUID();
    await send({ userId: 'ada', event: 'Order Completed', messageId, properties: { total: 12.5 } });
    await eventually(async () => {
      const { body } = await harness.api.get(`/destinations/${bad.id}/deliveries`);
      expect(body).toMatchObject([{ state: 'dead' }]);
    });
    const younger = await aDestination();

    const page = await harness.open('reader', `/events?messageId=${messageId}`);
    await page.getByRole('link', { name: 'Order Completed' }).click();
    await page.getByRole('heading', { name: 'Order Completed', level: 1 }).waitFor();
    const told = async ({ name }: { name: string }): Promise<string> =>
      page.getByRole('article', { name }).innerText();
    expect(await told(good)).toMatch(/Delivered .* with 1 try\.[^]*200[^]*ms[^]*taken/);
    expect(await told(bad)).toMatch(
      /Given up .* after 2 tries: the receiver failed \(5xx\)[^]*500[^]*no room/,
    );
    expect(await told(paused)).toContain('It waits because somebody paused the destination.');
    expect(await told(elsewhere)).toContain(
      `It takes events of ${other.name} only; this one came from ${source.name}.`,
    );
    const why = await told(picky);
    expect(why).toContain('Its filter lets only the types page pass; this is a track.');
    expect(why).toContain('Its filter lets only events named Cart * pass; this is Order Completed.');
    expect(why).toContain('properties.total gte 100');
    expect(why).toContain(`It takes events of people in ${segment.name} only`);
    expect(await told(younger)).toContain('The destination was created after the event was received.');
    const way = await page.getByRole('region', { name: 'Where it went' }).innerText();
    expect(way).toMatch(/Received[^]*Accepted[^]*Processed[^]*left the inbox[^]*The user ada has it/);
    expect(way).toContain(messageId);
    const json = await page.getByRole('region', { name: 'the event', exact: true }).innerText();
    expect(JSON.parse(json)).toMatchObject({ event: 'Order Completed', properties: { total: 12.5 } });
  });

  it('follows an event that is on its way until it is there', async () => {
    const { id, name } = await aDestination();
    await harness.api.post(`/destinations/${id}/pause`);
    const messageId = randomUUID();
    await send({ userId: 'ada', event: 'Order Completed', messageId });
    const { body } = await harness.api.get(`/events?messageId=${messageId}`);
    const page = await harness.open('admin', `/events/${body[0].id}`);
    await page.getByRole('article', { name }).getByText('Pending').waitFor();
    await harness.api.post(`/destinations/${id}/resume`);
    await page.getByRole('article', { name }).getByText('Delivered', { exact: true }).waitFor();
  });

  it('lists rejected events by code, and shows one', async () => {
    const messageId = randomUUID();
    await send({ userId: 'ada', messageId }, 400);
    await eventually(async () => {
      const { body } = await harness.api.get(`/rejected-events?messageId=${messageId}`);
      expect(body).toHaveLength(1);
    });
    const page = await harness.open('reader', `/events?messageId=${messageId}`);
    await page.getByRole('link', { name: 'Look among the rejected ones' }).click();
    await page.getByRole('heading', { name: 'Rejected events', level: 1 }).waitFor();
    const rejected = table(page, 'Rejected events');
    expect(await rejected.innerText()).toContain('missing_event_name');
    await rejected.getByRole('button', { name: 'Unknown' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rejected event' });
    const sent = await dialog.getByRole('region', { name: 'what was sent' }).innerText();
    expect(JSON.parse(sent)).toMatchObject({ userId: 'ada', messageId });
    await dialog.getByRole('button', { name: 'Close' }).click();
    const counted = table(page, 'Rejected events by code').getByRole('row').filter({ hasText: source.name });
    await counted.getByRole('link', { name: 'missing_event_name' }).click();
    await page.waitForURL(new RegExp(`sourceId=${source.id}&code=missing_event_name`));
    await rejected.getByRole('button', { name: 'Unknown' }).waitFor();
    await page.getByRole('navigation', { name: 'Events' }).getByRole('link', { name: 'Accepted' }).click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  });

  it('shows a script in an event as the text that it is', async () => {
    const messageId = randomUUID();
    await send({ userId: SCRIPT, event: SCRIPT, messageId, properties: { html: SCRIPT } });
    const page = await harness.open('admin', `/events?messageId=${messageId}`);
    await page.getByRole('cell', { name: SCRIPT }).first().getByRole('link').click();
    await page.getByRole('heading', { name: SCRIPT, level: 1 }).waitFor();
    expect(await page.title()).toBe(`${SCRIPT} · Console`);
    await page.getByRole('region', { name: 'the event', exact: true }).getByText('document.title').waitFor();
  });

  it('says why an event cannot be shown', async () => {
    harness.expectComplaint(/404/);
    const page = await harness.open('reader', '/events');
    await page.goto(`${harness.url}/console/events/${randomUUID()}`);
    await page.getByRole('alert').getByText('event_not_found').waitFor();
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const messageId = randomUUID();
    await aDestination({}, '/bad');
    await send({ userId: 'ada', event: 'Order Completed', messageId });
    await send({ userId: 'ada', messageId }, 400);
    const page = await harness.open('admin', `/events?messageId=${messageId}`, options);
    const link = table(page, 'Accepted events').getByRole('link', { name: 'Order Completed' });
    await link.waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    await link.click();
    await page.getByRole('heading', { name: 'Order Completed', level: 1 }).waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    await page.goto(`${harness.url}/console/events/rejected`);
    await table(page, 'Rejected events').getByRole('button').first().click();
    await page.getByRole('dialog', { name: 'Rejected event' }).waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
  });
}
