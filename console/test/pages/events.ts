import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/support/eventually';
import type { ConsoleHarness } from '../harness';
import { SCRIPT, section, table } from '../parts';
import { Shop } from '../shop';

export default function eventsTests(harness: ConsoleHarness): void {
  let shop: Shop;
  beforeAll(async () => (shop = await Shop.open(harness)));
  afterAll(() => shop.close());

  it('finds events by what is in the address, and puts a search there', async () => {
    const [userId, messageId] = [randomUUID(), randomUUID()];
    await shop.send({ userId, event: 'Order Completed', messageId });
    await shop.send({ userId, event: 'Cart Viewed' });
    const page = await harness.open('reader', `/events?userId=${userId}`);
    await table(page, 'Accepted events').getByRole('link', { name: 'Cart Viewed' }).waitFor();
    await page.getByText('The one accepted last stands first.').waitFor();
    expect(await page.getByLabel('User id').inputValue()).toBe(userId);
    await page.getByLabel('Message id').fill(messageId);
    await page.getByLabel('Source').selectOption(shop.source.name);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/messageId=/);
    await table(page, 'Accepted events').getByRole('link', { name: 'Order Completed' }).waitFor();
    expect(await table(page, 'Accepted events').getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).searchParams.get('sourceId')).toBe(shop.source.id);
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Search');
    await page.goBack();
    await table(page, 'Accepted events').getByRole('link', { name: 'Cart Viewed' }).waitFor();
    expect(await page.getByLabel('Message id').inputValue()).toBe('');
  });

  it('folds what is searched by on a phone, and says how much of it is given', async () => {
    const [userId, messageId] = [randomUUID(), randomUUID()];
    await shop.send({ userId, event: 'Order Completed', messageId });
    const page = await harness.open('reader', `/events?userId=${userId}&type=track`, { phone: true });
    await table(page, 'Accepted events').getByRole('link', { name: 'Order Completed' }).waitFor();
    const search = page.getByRole('search');
    expect(await search.count()).toBe(0);
    await page.getByText('Filters (2)', { exact: true }).click();
    expect(await search.getByLabel('User id').inputValue()).toBe(userId);
    expect(await harness.seriousViolations(page)).toEqual([]);
    await search.getByLabel('Message id').fill(messageId);
    await search.getByRole('button', { name: 'Search' }).click();
    await page.getByText('Filters (3)', { exact: true }).waitFor();
    expect(page.url()).toContain(`messageId=${messageId}`);
    await page.goto(`${harness.url}/console/people`);
    await page.getByText('Filters', { exact: true }).waitFor();
    expect(await search.count()).toBe(0);
  });

  it('asks again when the same is searched for once more', async () => {
    const userId = randomUUID();
    const page = await harness.open('reader', `/events?userId=${userId}`);
    await page.getByText('No such event was accepted.').waitFor();
    await shop.send({ userId, event: 'Order Completed' });
    await page.getByRole('button', { name: 'Search' }).click();
    await table(page, 'Accepted events').getByRole('link', { name: 'Order Completed' }).waitFor();
  });

  it('finds events of a time on the clock of the person', async () => {
    const userId = randomUUID();
    await shop.send({ userId, event: 'Order Completed' });
    const page = await harness.open('admin', `/events?userId=${userId}`);
    await table(page, 'Accepted events').getByRole('link').first().waitFor();
    await page.getByLabel('Received from').fill('2099-01-01T12:30:15');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No such event was accepted.').waitFor();
    expect(new URL(page.url()).searchParams.get('from')).toBe('2099-01-01T10:30:15.000Z');
    expect(await page.getByLabel('Received from').inputValue()).toBe('2099-01-01T12:30:15');
    await page.getByLabel('Received from').fill('1880-01-01T12:30:15');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/from=1880-01-01T10%3A53%3A41/);
    expect(await page.getByLabel('Received from').inputValue()).toBe('1880-01-01T12:30:15');
    await page.getByRole('button', { name: 'Clear' }).click();
    await table(page, 'Accepted events').getByRole('link').first().waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.getByLabel('Received from').inputValue()).toBe('');
  });

  it('shows all pages of a listing, one after the other', async () => {
    const userId = randomUUID();
    for (let count = 0; count < 51; count += 1) await shop.send({ userId, event: `Step ${count}` });
    const page = await harness.open('reader', `/events?userId=${userId}`);
    await page.getByRole('button', { name: 'Show more' }).click();
    await table(page, 'Accepted events').getByRole('link', { name: 'Step 0', exact: true }).waitFor();
    expect(await table(page, 'Accepted events').getByRole('row').count()).toBe(52);
  });

  it('looks further while it finds nothing, until somebody stops it, and goes on from there', async () => {
    const asked: (string | null)[] = [];
    const page = await harness.open('reader', '/sources');
    await page.route('**/events?*', async (route) => {
      if (route.request().resourceType() === 'document') return route.continue();
      asked.push(new URL(route.request().url()).searchParams.get('cursor'));
      await route.fulfill({ json: [], headers: { link: `</events?cursor=${asked.length}>; rel="next"` } });
    });
    await page.goto(`${harness.url}/console/events?name=Rare`);
    await page.getByText('Nothing so far. Looking further…').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('None so far.').waitFor();
    const stoppedAt = asked.length;
    expect(asked).toEqual([null, ...Array.from({ length: stoppedAt - 1 }, (_, n) => `${n + 1}`)]);
    await page.unrouteAll();
    await page.route('**/events?*', (route) => route.fulfill({ json: [] }));
    const further = page.waitForRequest((request) => request.url().includes('cursor='));
    await page.getByRole('button', { name: 'Show more' }).click();
    expect(new URL((await further).url()).searchParams.get('cursor')).toBe(`${stoppedAt}`);
    await page.getByText('No such event was accepted.').waitFor();
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
    const good = await shop.aDestination();
    const bad = await shop.aDestination('/bad');
    const paused = await shop.aDestination();
    await harness.api.post(`/destinations/${paused.id}/pause`);
    const elsewhere = await shop.aDestination('', { sources: [other.id] });
    const picky = await shop.aDestination('', {
      filter: {
        types: ['page'],
        events: ['Cart *'],
        conditions: [{ field: 'properties.total', operator: 'gte', value: 100 }],
        segments: [segment.id],
      },
    });
    const trait = `never_${randomUUID().replaceAll('-', '')}`;
    const never = { event: `Never ${randomUUID()}`, aggregate: 'count', within: '30d' };
    expect((await harness.api.post('/computed-traits', { name: trait, ...never })).status).toBe(201);
    const asking = await shop.aDestination('', {
      filter: { conditions: [{ field: `computed.${trait}`, operator: 'gte', value: 1 }] },
    });
    const notices = ['destination_disabled'];
    const toldOnly = await shop.aDestination('', { filter: { types: [] }, notices });
    const messageId = randomUUID();
    await shop.send({ userId: 'ada', event: 'Order Completed', messageId, properties: { total: 12.5 } });
    await eventually(async () => {
      const { body } = await harness.api.get(`/destinations/${bad.id}/deliveries`);
      expect(body).toMatchObject([{ state: 'dead' }]);
    });
    const younger = await shop.aDestination();
    const youngerAndElsewhere = await shop.aDestination('', { sources: [other.id] });

    const page = await harness.open('reader', `/events?messageId=${messageId}`);
    await page.getByRole('link', { name: 'Order Completed' }).click();
    await page.getByRole('heading', { name: 'Order Completed', level: 1 }).waitFor();
    const told = async ({ name }: { name: string }): Promise<string> =>
      page.getByRole('article', { name }).innerText();
    expect(await told(good)).toMatch(/Delivered .* with 1 try\.[^]*200[^]*ms[^]*taken/);
    expect(await told(bad)).toMatch(
      /Became a dead letter .* after 2 tries: the receiver failed – http_5xx\.[^]*500[^]*no room/,
    );
    expect(await told(paused)).toContain('It waits because somebody paused the destination.');
    await eventually(async () =>
      expect(await told(elsewhere)).toContain(
        `It takes events of ${other.name} only; this one came from ${shop.source.name}.`,
      ),
    );
    await eventually(async () =>
      expect(await told(picky)).toContain(`It takes events of people in ${segment.name} only`),
    );
    const why = await told(picky);
    expect(why).toContain('Its filter lets only the types page pass; this is a track.');
    expect(why).toContain('Its filter lets only events named Cart * pass; this is Order Completed.');
    expect(why).toContain('properties.total is at least 100; the event has 12.5');
    expect(await told(asking)).toContain(`computed.${trait} is at least 1; the person has 0`);
    expect(await told(toldOnly)).toContain('It gets no events, only notices: its filter lets no type pass.');
    const late = 'The destination was created after the event was received.';
    expect(await told(younger)).toContain(`${late} A replay of its time sends it.`);
    expect(await told(youngerAndElsewhere)).toContain(late);
    expect(await told(youngerAndElsewhere)).toContain('It takes events of');
    expect(await told(youngerAndElsewhere)).not.toContain('A replay');
    const way = await page.getByRole('region', { name: 'Where it went' }).innerText();
    expect(way).toMatch(/Received[^]*Accepted[^]*Processed[^]*left the inbox[^]*The user ada has it/);
    expect(way).toContain(messageId);
    const json = await page.getByRole('region', { name: 'the event', exact: true }).innerText();
    expect(JSON.parse(json)).toMatchObject({ event: 'Order Completed', properties: { total: 12.5 } });
  });

  it('leads from an event to its person and the segments, and why somebody is in none', async () => {
    const [userId, name, missed] = [randomUUID(), `Buyers ${randomUUID()}`, `Whales ${randomUUID()}`];
    const rules = [{ field: 'event_count', event: userId, operator: 'gte', value: 1 }];
    await harness.api.post('/segments', { name, rules });
    const count = { field: 'event_count', operator: 'gte', value: 1_000_000 };
    const { body: segment } = await harness.api.post('/segments', { name: missed, rules: [count] });
    const destination = await shop.aDestination('', { filter: { segments: [segment.id] } });
    const messageId = randomUUID();
    await shop.send({ userId, event: userId, messageId });
    await eventually(async () => {
      const { body } = await harness.api.get(`/events/trace?messageId=${messageId}`);
      expect(body).toMatchObject([{ segments: [{ segmentName: name }] }]);
    });
    const page = await harness.open('reader', `/events?messageId=${messageId}`);
    await table(page, 'Accepted events').getByRole('link', { name: userId }).first().click();
    const way = page.getByRole('region', { name: 'Where it went' });
    await way.getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole('article', { name: destination.name }).getByRole('link', { name: missed }).click();
    await page.getByRole('group', { name: 'Explanation' }).getByText('Not a member').waitFor();
    await page.goBack();
    await way.getByRole('link', { name: userId }).click();
    await page.getByRole('heading', { name: userId, level: 1 }).waitFor();
    await page.getByText('A user, with 1 event from').waitFor();
  });

  it('shows numbers with the digits that were sent', async () => {
    const messageId = randomUUID();
    const ids = `"messageId": "${messageId}", "userId": "ada"`;
    await shop.send(
      `{${ids}, "event": "Paid", "properties": {"id": 9007199254740993, "total": 1.0, "n": 2}}`,
    );
    const page = await harness.open('reader', `/events?messageId=${messageId}`);
    await table(page, 'Accepted events').getByRole('link', { name: 'Paid' }).click();
    const shown = page.getByRole('region', { name: 'the event', exact: true });
    await shown.getByText('9007199254740993').waitFor();
    expect((await shown.innerText()).replaceAll(/\s+/g, ' ')).toContain(
      '"properties": { "id": 9007199254740993, "total": 1.0, "n": 2 }',
    );
  });

  it('follows an event that is on its way until it is there', async () => {
    const { id, name } = await shop.aDestination();
    await harness.api.post(`/destinations/${id}/pause`);
    const messageId = randomUUID();
    await shop.send({ userId: 'ada', event: 'Order Completed', messageId });
    const { body } = await harness.api.get(`/events?messageId=${messageId}`);
    const page = await harness.open('admin', `/events/${body[0].id}`);
    await page.getByRole('article', { name }).getByText('Pending').waitFor();
    await harness.api.post(`/destinations/${id}/resume`);
    await page.getByRole('article', { name }).getByText('Delivered', { exact: true }).waitFor();
  });

  it('lists rejected events by code, and shows one', async () => {
    const messageId = randomUUID();
    await shop.send(
      '{"userId": "ada", "messageId": "' + messageId + '", "properties": {"n": 9007199254740993}}',
      400,
    );
    await eventually(async () => {
      const { body } = await harness.api.get(`/rejected-events?messageId=${messageId}`);
      expect(body).toHaveLength(1);
    });
    const page = await harness.open('reader', `/events?messageId=${messageId}`);
    await page.getByRole('link', { name: 'Look among the rejected ones' }).click();
    await page.getByRole('heading', { name: 'Rejected events', level: 1 }).waitFor();
    const rejected = table(page, 'Rejected events');
    expect(await rejected.innerText()).toContain('missing_event_name');
    await rejected.getByRole('button', { name: 'track' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rejected event' });
    await dialog.getByText('A track event needs its name in event.').waitFor();
    const sent = await dialog.getByRole('region', { name: 'what was sent' }).innerText();
    expect(JSON.parse(sent)).toMatchObject({ userId: 'ada', messageId });
    expect(sent).toContain('"n": 9007199254740993');
    await dialog.getByRole('button', { name: 'Close' }).click();
    const counted = table(page, 'Rejected events by code')
      .getByRole('row')
      .filter({ hasText: shop.source.name });
    await counted.getByRole('link', { name: 'missing_event_name' }).click();
    await page.waitForURL(new RegExp(`sourceId=${shop.source.id}&code=missing_event_name`));
    await rejected.getByRole('button', { name: 'track' }).waitFor();
    await page.getByRole('navigation', { name: 'Events' }).getByRole('link', { name: 'Accepted' }).click();
    await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor();
  });

  it('says that what was rejected is a request of a webhook, and leads to its source', async () => {
    const webhook = { name: `Hook ${randomUUID()}`, kind: 'webhook' };
    const { body: source } = await harness.api.post('/sources', webhook);
    const headers = { 'content-type': 'application/json' };
    await fetch(`${harness.url}/v1/hooks/${source.writeKey}`, { method: 'POST', headers, body: '{}' });
    const page = await harness.open('reader', `/events/rejected?sourceId=${source.id}`);
    await eventually(async () => {
      const { body } = await harness.api.get(`/rejected-events?sourceId=${source.id}`);
      expect(body).toHaveLength(1);
    });
    await page.getByRole('button', { name: 'Search' }).click();
    await table(page, 'Rejected events').getByRole('button', { name: 'Request of a webhook' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rejected event' });
    await dialog.getByText('A request of a webhook failed: no events could be made of it.').waitFor();
    expect(await dialog.innerText()).not.toContain('hookRequestId');
    await dialog.getByRole('link', { name: 'Its source' }).click();
    await table(page, 'Failed requests').getByText('As it came').waitFor();
  });

  it('watches events as they come in, stands still when told to, and leads to their way', async () => {
    const userId = randomUUID();
    const page = await harness.open('reader', `/events/live?sourceId=${shop.source.id}`);
    await page.getByText('Listening').waitFor();
    await shop.send({ userId, event: 'Seen Live' });
    await shop.send({ userId: `rejected-${userId}`, messageId: randomUUID() }, 400);
    const live = table(page, 'Live events');
    await live.getByRole('link', { name: 'Seen Live' }).waitFor();
    const rejected = live.getByRole('row').filter({ hasText: 'missing_event_name event' });
    await rejected.getByRole('link', { name: `rejected-${userId}` }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await shop.send({ userId, event: 'Held Back' });
    await page.getByText('Paused: 1 more came since.').waitFor();
    expect(await live.getByRole('link', { name: 'Held Back' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Go on' }).click();
    await live.getByRole('link', { name: 'Held Back' }).click();
    await page.getByRole('heading', { name: 'Held Back', level: 1 }).waitFor();
    await page.goBack();
    await page.getByText('Nothing has come in since you look.').waitFor();
    await page.getByLabel('Outcome').selectOption('rejected');
    await page.getByRole('button', { name: 'Watch' }).click();
    await page.waitForURL(/outcome=rejected/);
    await page.getByText('Listening').waitFor();
    await shop.send({ userId, event: 'Not Wanted' });
    await shop.send({ userId, messageId: `m-${userId}` }, 400);
    await live.getByRole('link', { name: 'track' }).click();
    await page.getByRole('heading', { name: 'Rejected events', level: 1 }).waitFor();
    await table(page, 'Rejected events').getByText('missing_event_name').waitFor();
  });

  it('watches requests of webhooks that no events could be made of, as what they are', async () => {
    const webhook = { name: `Hook ${randomUUID()}`, kind: 'webhook' };
    const { body: source } = await harness.api.post('/sources', webhook);
    const page = await harness.open('reader', `/events/live?sourceId=${source.id}`);
    await page.getByText('Listening').waitFor();
    const headers = { 'content-type': 'application/json' };
    await fetch(`${harness.url}/v1/hooks/${source.writeKey}`, { method: 'POST', headers, body: '{}' });
    await table(page, 'Live events').getByRole('link', { name: 'Request of a webhook' }).click();
    await page.getByRole('heading', { name: 'Rejected events', level: 1 }).waitFor();
  });

  it('marks in the way of an event what a replay has sent', async () => {
    const destination = await shop.aDestination();
    const messageId = randomUUID();
    await shop.send({ userId: 'ada', event: 'Order Completed', messageId });
    const { body: found } = await harness.api.get(`/events?messageId=${messageId}`);
    const { receivedAt: from, id } = found[0];
    await eventually(async () => {
      const { body } = await harness.api.get(`/destinations/${destination.id}/deliveries?state=delivered`);
      expect(body).toMatchObject([{ eventId: id, replayId: null }]);
    });
    const { body: replay } = await harness.api.post(`/destinations/${destination.id}/replay`, { from });
    await eventually(async () => {
      const { body } = await harness.api.get(`/destinations/${destination.id}/deliveries?state=delivered`);
      expect(body).toMatchObject([{ eventId: id, replayId: replay.id }, { replayId: null }]);
    });
    const page = await harness.open('reader', `/events/${id}`);
    const routed = page.getByRole('article', { name: destination.name, exact: true });
    const replayed = page.getByRole('article', { name: `${destination.name}, replay`, exact: true });
    await replayed.getByText('Replay', { exact: true }).waitFor();
    expect(await routed.getByText('Replay', { exact: true }).count()).toBe(0);
    expect(await harness.seriousViolations(page)).toEqual([]);
    harness.deleteAfterwards(`/destinations/${destination.id}`);
  });

  it('watches what a tracking plan keeps apart, and leads to it', async () => {
    const schema = { properties: { properties: { required: ['total'] } } };
    const rules = ['quarantine', 'observe'].map((onViolation) => ({
      type: 'track',
      event: onViolation === 'observe' ? 'Seen' : 'Paid',
      schema,
      onViolation,
    }));
    const { body: plan } = await harness.api.post('/tracking-plans', { name: `Live ${randomUUID()}`, rules });
    const { body: source } = await harness.api.post('/sources', {
      name: `Planned ${randomUUID()}`,
      trackingPlanId: plan.id,
    });
    const page = await harness.open('reader', `/events/live?sourceId=${source.id}&outcome=quarantined`);
    await page.getByText('Listening').waitFor();
    const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
    const sent = { userId: 'ada', event: 'Paid', messageId: randomUUID(), properties: {} };
    const messageId = randomUUID();
    await harness.api.with({ authorization }).post('/v1/track', sent);
    const live = table(page, 'Live events');
    await live.getByText('schema_violation').waitFor();
    expect(await live.getByRole('row').nth(1).innerText()).toMatch(/Quarantined[^]*ada/);
    expect(await harness.seriousViolations(page)).toEqual([]);
    await eventually(async () => {
      const { body } = await harness.api.get(`/quarantined-events?messageId=${sent.messageId}`);
      expect(body).toHaveLength(1);
    });
    await live.getByRole('link', { name: 'Paid' }).click();
    await page.getByRole('heading', { name: 'Quarantined events', level: 1 }).waitFor();
    const row = table(page, 'Quarantined events').getByRole('row').filter({ hasText: 'Paid' });
    await row.getByText('properties.total: It must be there.').waitFor();

    await page.goto(`${harness.url}/console/events/live?sourceId=${source.id}`);
    await page.getByText('Listening').waitFor();
    await harness.api.with({ authorization }).post('/v1/track', { ...sent, messageId, event: 'Seen' });
    const observing = live.getByRole('row').filter({ hasText: 'Accepted with violations' });
    await observing.getByText('schema_violation properties.total').waitFor();
    const event = await eventually(async () => {
      const { body } = await harness.api.get(`/events?sourceId=${source.id}&messageId=${messageId}`);
      expect(body).toHaveLength(1);
      return body[0];
    });
    const observed = await harness.open('reader', `/events/${event.id}`);
    const verdict = section(observed, 'What its tracking plan says');
    await verdict.getByText('properties.total: It must be there.').waitFor();
  });

  it('watches by a filter of routing, and counts what it left out', async () => {
    const userId = randomUUID();
    const filter = JSON.stringify({
      conditions: [{ field: 'properties.total', operator: 'gte', value: 10 }],
    });
    const search = new URLSearchParams({ sourceId: shop.source.id, name: 'Order *', filter });
    const page = await harness.open('admin', `/events/live?${search.toString()}`);
    await page.getByText('Listening').waitFor();
    const track = { type: 'track', userId };
    await shop.sendAll(
      { ...track, event: 'Order Small', properties: { total: 9 } },
      { ...track, event: 'Order Large', properties: { total: 10 } },
      { ...track, event: 'Cart', properties: { total: 11 } },
    );
    const live = table(page, 'Live events');
    await live.getByRole('link', { name: 'Order Large' }).waitFor();
    expect(await live.getByRole('row').count()).toBe(2);
    const many = Array.from({ length: 90 }, () => ({
      ...track,
      event: 'Order Many',
      properties: { total: 99 },
    }));
    await shop.sendAll(...many);
    await page.getByText(/were left out: at most 50 a second are shown/).waitFor();
    const [, count = ''] = /(\d+) were left out/.exec(await page.getByRole('main').innerText()) ?? [];
    expect((await live.getByRole('row').count()) - 2 + Number(count)).toBe(90);
    await page.getByRole('button', { name: 'Clear the list' }).click();
    await page.getByText('Nothing has come in since you look.').waitFor();
  });

  it('says why nothing can be watched, and listens again', async () => {
    harness.expectComplaint(/400|EventSource/);
    const page = await harness.open('reader', '/events/live?filter=nonsense');
    await page.getByRole('alert').getByText('filter', { exact: true }).waitFor();
    await page.getByText('Ended').waitFor();
    await page.getByRole('button', { name: 'Listen again' }).click();
    await page.getByRole('alert').getByText('filter', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await page.getByText('Listening').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('does not tell who listens again of the time before', async () => {
    harness.expectComplaint(/EventSource|503/);
    const page = await harness.open('reader', '/events');
    const asked: (() => Promise<void>)[] = [];
    await page.route('**/events/tail?*', async (route) => {
      const answer = { status: 503, json: { code: 'busy', detail: 'Not now.' } };
      if (route.request().url().includes('seconds=')) asked.push(() => route.fulfill(answer));
      else if (asked.length === 0) await route.fulfill(answer);
      else await route.continue();
    });
    await page.goto(`${harness.url}/console/events/live`);
    await page.getByText('Ended').waitFor();
    await eventually(() => expect(asked).toHaveLength(1));
    await page.getByRole('button', { name: 'Listen again' }).click();
    await page.getByText('Listening').waitFor();
    const told = page.waitForResponse((response) => response.url().includes('seconds='));
    await asked[0]?.();
    await (await told).finished();
    await shop.send({ userId: randomUUID(), event: 'After All' });
    await table(page, 'Live events').getByRole('link', { name: 'After All' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows a script in an event as the text that it is', async () => {
    const messageId = randomUUID();
    await shop.send({ userId: SCRIPT, event: SCRIPT, messageId, properties: { html: SCRIPT } });
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
    await page.getByRole('heading', { name: 'Event', level: 1, exact: true }).waitFor();
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const messageId = randomUUID();
    await shop.aDestination('/bad');
    await shop.send({ userId: 'ada', event: 'Order Completed', messageId });
    await shop.send({ userId: 'ada', messageId }, 400);
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
    await page.goto(`${harness.url}/console/events/live?sourceId=${shop.source.id}`);
    await page.getByText('Listening').waitFor();
    await shop.send({ userId: SCRIPT, event: SCRIPT });
    await shop.send({ userId: 'ada', type: SCRIPT }, 400);
    await table(page, 'Live events').getByRole('link', { name: SCRIPT }).first().waitFor();
    await page.getByText('Rejected', { exact: true }).last().waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(await page.title()).toBe('Live events · Console');
  });
}
