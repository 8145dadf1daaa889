import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../../test/support/eventually';
import type { ConsoleHarness } from '../harness';
import { SCRIPT, section, table } from '../parts';
import { Shop } from '../shop';

export default function peopleTests(harness: ConsoleHarness): void {
  let shop: Shop;
  beforeAll(async () => (shop = await Shop.open(harness)));
  afterAll(() => shop.close());

  const isKnown = (userId: string, eventCount: number): Promise<void> =>
    eventually(async () => {
      const { body } = await harness.api.get(`/profiles/${encodeURIComponent(userId)}?limit=1`);
      expect(body).toMatchObject({ eventCount });
    });

  const personPath = (userId: string): string =>
    `/people/person?${new URLSearchParams({ userId }).toString()}`;
  const dialog = (page: Page): Locator => page.getByRole('dialog');

  it('finds people by the beginning of an id, a trait and an anonymous id', async () => {
    const [userId, visitor, plan] = [randomUUID(), randomUUID(), randomUUID()];
    await shop.sendAll(
      { type: 'identify', userId: `${userId}-a`, traits: { plan } },
      { type: 'identify', userId: `${userId}-b`, traits: { plan: 'none' } },
      { type: 'track', event: 'Visited', anonymousId: visitor },
    );
    await isKnown(`${userId}-a`, 1);
    await isKnown(`${userId}-b`, 1);
    const page = await harness.open('reader', '/people');
    await page.getByLabel('User id begins with').fill(userId);
    await page.getByRole('button', { name: 'Search' }).click();
    await table(page, 'People')
      .getByRole('link', { name: `${userId}-b` })
      .waitFor();
    expect(await table(page, 'People').getByRole('row').count()).toBe(3);
    await page.getByLabel('Trait, as name:value').fill(`plan:${plan}`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/trait=/);
    await eventually(async () => expect(await table(page, 'People').getByRole('row').count()).toBe(2));
    await page.goto(`${harness.url}/console/people?anonymousId=${visitor}`);
    await table(page, 'People').getByRole('link', { name: visitor }).click();
    await page.getByText('A visitor who is no user yet').waitFor();
    await page.goto(`${harness.url}/console/people?prefix=${randomUUID()}`);
    await page.getByText('No such person is known.').waitFor();
  });

  it('says what is wrong with a search', async () => {
    harness.expectComplaint(/400/);
    const page = await harness.open('reader', '/people?trait=plan');
    await page.getByRole('alert').getByText('trait', { exact: true }).waitFor();
  });

  it('shows a person: what set each trait, what linked each id, groups, segments, the days', async () => {
    const [userId, visitor, old, groupId] = [
      `${randomUUID()} a/b%2F?`,
      randomUUID(),
      randomUUID(),
      `acme ${randomUUID()}`,
    ];
    const name = `Pros ${randomUUID()}`;
    const rules = [{ field: 'mark', operator: 'eq', value: userId }];
    await harness.api.post('/segments', { name, rules });
    const paid = { name: 'times_paid', event: 'Paid', aggregate: 'count', within: '30d' };
    await harness.api.post('/computed-traits', paid);
    await shop.sendAll(
      { type: 'track', event: 'Visited', anonymousId: visitor, timestamp: '2026-11-18T12:00:00Z' },
      { type: 'identify', userId: old, traits: { city: 'Riga' }, timestamp: '2026-11-19T12:00:00Z' },
      { type: 'identify', userId, anonymousId: visitor, traits: { mark: userId, plan: { n: 1 } } },
      { type: 'group', userId, groupId, traits: { size: 7 } },
      { type: 'track', event: 'Paid', userId, context: { traits: { paid: true } } },
    );
    await isKnown(userId, 4);
    await shop.sendAll({ type: 'alias', userId, previousId: old });
    await isKnown(userId, 6);
    const page = await harness.open('reader', personPath(old));
    await page.getByRole('heading', { name: userId, level: 1 }).waitFor();
    const row = (of: string, first: string): Locator =>
      table(page, of)
        .getByRole('row')
        .filter({ has: page.getByRole('cell', { name: first, exact: true }) });
    await row('Traits', 'paid').getByRole('link', { name: 'Paid' }).waitFor();
    expect(await row('Traits', 'plan').innerText()).toMatch(/\{"n":1\}[^]*identify from/);
    await row('Traits', 'city').getByText(shop.source.name).waitFor();
    expect(await row('Computed traits', 'times_paid').innerText()).toMatch(/\b1$/);
    expect(await row('Ids', userId).innerText()).toContain('the id of the profile');
    expect(await row('Ids', old).innerText()).toContain('alias');
    expect(await row('Ids', visitor).innerText()).toContain('identify');
    await section(page, 'Groups').getByText(groupId).click();
    await page
      .getByRole('region', { name: `the traits of ${groupId}` })
      .getByText('"size": 7')
      .waitFor();
    await section(page, 'Segments').getByRole('link', { name }).waitFor();
    await page.getByLabel('Why, or why not?').selectOption(name);
    const explanation = page.getByRole('group', { name: 'Explanation' });
    await explanation.getByText('A member', { exact: true }).waitFor();
    expect(await explanation.innerText()).toContain(`mark is ${JSON.stringify(userId)}`);
    const days = section(page, 'Timeline').getByRole('heading', { level: 3 });
    await eventually(async () => expect(await days.count()).toBe(3));
    expect(await days.last().innerText()).toContain('2026');
    await section(page, 'Timeline').getByRole('link', { name: 'Paid' }).click();
    await page.getByRole('heading', { name: 'Paid', level: 1 }).waitFor();
    await page.goBack();
    await row('Ids', visitor).getByRole('link', { name: 'Events with it' }).click();
    await table(page, 'Accepted events').getByRole('link', { name: 'Visited' }).waitFor();
  });

  it('reads the timeline page by page', async () => {
    const userId = randomUUID();
    const batch = Array.from({ length: 60 }, (_, n) => ({ type: 'track', event: `Step ${n}`, userId }));
    await shop.sendAll(...batch);
    await isKnown(userId, 60);
    const page = await harness.open('reader', personPath(userId));
    await section(page, 'Timeline').getByRole('button', { name: 'Show more' }).click();
    await eventually(async () =>
      expect(await section(page, 'Timeline').getByRole('link', { name: /^Step/ }).count()).toBe(60),
    );
  });

  it('exports what is held of a person', async () => {
    const userId = randomUUID();
    await shop.sendAll({ type: 'identify', userId, traits: { plan: 'pro' } });
    await isKnown(userId, 1);
    const page = await harness.open('admin', personPath(userId));
    await page.getByRole('button', { name: 'Export' }).click();
    await dialog(page).getByText(`Everything that is held about “${userId}”`).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog(page).getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${userId}.ndjson`);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual(expect.arrayContaining(['identity', 'event']));
  });

  it('deletes a person, and shows the receipt', async () => {
    const userId = randomUUID();
    await shop.sendAll({ type: 'identify', userId, anonymousId: `${userId}-v` });
    await isKnown(userId, 1);
    const page = await harness.open('admin', personPath(userId));
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog(page)
      .getByText(/the profile with 2 ids, 1 event, 0 memberships of segments/)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: `${userId} is deleted` }).waitFor();
    await page.getByRole('list', { name: 'Deleted' }).getByText('1 event', { exact: true }).waitFor();
    await page.getByText('0 others: rejected and quarantined events').waitFor();
    expect((await harness.api.get(`/profiles/${userId}`)).status).toBe(404);
    const other = randomUUID();
    await shop.sendAll({ type: 'identify', userId: other });
    await isKnown(other, 1);
    await page.evaluate(`history.pushState(null, '', '/console${personPath(other)}')`);
    await page.getByRole('heading', { name: other, level: 1, exact: true }).waitFor();
    await page.getByText('A user, with 1 event from').waitFor();
  });

  it('suppresses a person, and lifts that again', async () => {
    const userId = randomUUID();
    await shop.sendAll({ type: 'identify', userId });
    await isKnown(userId, 1);
    const page = await harness.open('admin', personPath(userId));
    await page.getByRole('button', { name: 'Delete and suppress' }).click();
    await dialog(page).getByText('events with any of these ids are dropped').waitFor();
    await dialog(page).getByRole('button', { name: 'Delete and suppress' }).click();
    await page.getByText('Events with these ids are dropped from now on.').waitFor();
    harness.expectComplaint(/404/);
    await page.goto(`${harness.url}/console${personPath(userId)}`);
    await page.getByRole('button', { name: 'Lift the suppression' }).click();
    await dialog(page).getByRole('button', { name: 'Lift the suppression' }).click();
    await page.getByText(`Events about “${userId}” are taken again.`).waitFor();
    await shop.sendAll({ type: 'track', event: 'Back', userId });
    await isKnown(userId, 1);
  });

  it('says so of somebody unknown, and suppresses who is not known yet', async () => {
    harness.expectComplaint(/404/);
    const userId = randomUUID();
    const page = await harness.open('admin', personPath(userId));
    await page.getByText('No accepted event was about a user with this id').waitFor();
    await page.getByRole('button', { name: 'Suppress', exact: true }).click();
    await dialog(page).getByRole('button', { name: 'Suppress', exact: true }).click();
    await page.getByText(`Events about “${userId}” are dropped from now on.`).waitFor();
    await page.getByRole('link', { name: 'Look for it as an anonymous id' }).click();
    await page.getByRole('link', { name: 'Look for it as a user id' }).waitFor();
    await page.goto(`${harness.url}/console/people/person`);
    await page.getByRole('heading', { name: 'Nobody' }).waitFor();
  });

  it('exports and deletes somebody of whom there are only quarantined events', async () => {
    const { body: plan } = await harness.api.post('/tracking-plans', {
      name: `Strict ${randomUUID()}`,
      rules: [],
      unplannedEvents: 'quarantine',
    });
    const { body: source } = await harness.api.post('/sources', {
      name: `Strict ${randomUUID()}`,
      trackingPlanId: plan.id,
    });
    const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
    const userId = randomUUID();
    await harness.api.with({ authorization }).post('/v1/track', { userId, event: 'Paid' });
    await eventually(async () => {
      const { body } = await harness.api.get(`/quarantined-events?userId=${userId}`);
      expect(body).toHaveLength(1);
    });
    harness.expectComplaint(/404/);
    const page = await harness.open('admin', `/events/quarantined?userId=${userId}`);
    const kept = table(page, 'Quarantined events');
    await kept.getByRole('link', { name: userId }).click();
    await page.getByText('It may still be in events that were not accepted').waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'among the quarantined ones' }).click();
    await kept.getByRole('link', { name: userId }).click();
    await page.getByRole('button', { name: 'Export' }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog(page).getByRole('button', { name: 'Export' }).click(),
    ]);
    const exported = await readFile(await download.path(), 'utf8');
    expect(exported).toMatch(/^[^\n]*"kind":"quarantined_event"[^\n]*\n$/);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog(page)
      .getByText(/is deleted for good: quarantined and rejected events/)
      .waitFor();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: `${userId} is deleted` }).waitFor();
    expect((await harness.api.get(`/quarantined-events?userId=${userId}`)).body).toEqual([]);
  });

  it('has no button for a reader', async () => {
    harness.expectComplaint(/404/);
    const userId = randomUUID();
    await shop.sendAll({ type: 'identify', userId });
    await isKnown(userId, 1);
    const page = await harness.open('reader', personPath(userId));
    await section(page, 'Timeline').getByRole('link', { name: 'identify' }).waitFor();
    for (const name of ['Export', 'Delete', 'Delete and suppress'])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    await page.goto(`${harness.url}/console${personPath(randomUUID())}`);
    await page.getByText('No accepted event was about').waitFor();
    expect(await page.getByRole('button', { name: /Export|Delete|Suppress|suppression/ }).count()).toBe(0);
  });

  it('shows scripts in ids, traits and groups as text', async () => {
    const userId = `${randomUUID()} ${SCRIPT}`;
    await shop.sendAll(
      { type: 'identify', userId, traits: { [SCRIPT]: SCRIPT } },
      { type: 'group', userId, groupId: SCRIPT, traits: { name: SCRIPT } },
    );
    await isKnown(userId, 2);
    const page = await harness.open('admin', `/people?prefix=${userId.slice(0, 36)}`);
    await table(page, 'People').getByRole('link').click();
    await table(page, 'Traits').getByRole('cell', { name: SCRIPT, exact: true }).first().waitFor();
    await section(page, 'Groups').getByText(SCRIPT).click();
    await page.getByRole('region', { name: /the traits of/ }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog(page).getByText(SCRIPT).first().waitFor();
    expect(await page.evaluate('document.title')).toContain(SCRIPT);
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const [userId, visitor] = [randomUUID(), randomUUID()];
    const name = `All ${randomUUID()}`;
    await harness.api.post('/segments', {
      name,
      rules: [{ not: true, rules: [{ field: 'groups', operator: 'exists' }] }],
    });
    await shop.sendAll(
      { type: 'identify', userId, anonymousId: visitor, traits: { plan: 'pro', long: 'x'.repeat(300) } },
      { type: 'group', userId, groupId: 'acme', traits: { name: 'Acme' } },
    );
    await isKnown(userId, 2);
    const page = await harness.open('admin', `/people?prefix=${userId}`, options);
    const check = async (): Promise<void> => {
      expect(await harness.seriousViolations(page)).toEqual([]);
    };
    await table(page, 'People').waitFor();
    await check();
    await table(page, 'People').getByRole('link').click();
    await table(page, 'Traits').getByRole('link').first().waitFor();
    await section(page, 'Timeline').getByRole('link').first().waitFor();
    await section(page, 'Groups').getByText('acme').click();
    await page.getByRole('region', { name: 'the traits of acme' }).waitFor();
    await page.getByLabel('Why, or why not?').selectOption(name);
    await page.getByRole('group', { name: 'Explanation' }).waitFor();
    await check();
    await page.getByRole('button', { name: 'Delete and suppress' }).click();
    await dialog(page).getByText('is deleted for good').waitFor();
    await check();
  });
}
