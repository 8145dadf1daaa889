import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/support/eventually';
import type { ConsoleHarness } from '../harness';
import { confirm, fieldIn, fill, SCRIPT, section, table } from '../parts';
import { Shop } from '../shop';

export default function computedTraitsTests(harness: ConsoleHarness): void {
  let shop: Shop;
  beforeAll(async () => (shop = await Shop.open(harness)));
  afterAll(() => shop.close());

  const aName = (): string => `paid_${randomUUID().replaceAll('-', '')}`;
  /** Of a name that no other test has. */
  const someOrders = async (): Promise<{ event: string; userId: string }> => {
    const [event, userId] = [`Paid ${randomUUID()}`, `buyer-${randomUUID()}`];
    await shop.sendAll(
      { type: 'track', event, userId, properties: { total: 30, currency: 'EUR' } },
      { type: 'track', event, userId, properties: { total: 12.5, currency: 'USD' } },
    );
    await eventually(async () => {
      const { body } = await harness.api.get(`/profiles/${userId}`);
      expect(body).toMatchObject({ eventCount: 2 });
    });
    return { event, userId };
  };
  const aTrait = async (members: object = {}): Promise<{ id: string; name: string }> => {
    const measure = { event: 'Order Completed', aggregate: 'sum', of: 'properties.total', within: '30d' };
    const { status, body } = await harness.api.post('/computed-traits', {
      name: aName(),
      ...measure,
      ...members,
    });
    expect(status).toBe(201);
    return body;
  };
  const aSegmentAbout = async (name: string): Promise<{ id: string; name: string }> => {
    const inner = [{ field: `computed.${name}`, operator: 'gt', value: 1 }];
    const rules = [{ match: 'any', rules: inner }];
    const { status, body } = await harness.api.post('/segments', { name: `About ${randomUUID()}`, rules });
    expect(status).toBe(201);
    return body;
  };

  it('creates one, and shows what it is of somebody', async () => {
    const { event, userId } = await someOrders();
    const name = aName();
    const page = await harness.open('admin', '/computed-traits');
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Computed traits' })
      .waitFor();
    await page.getByRole('link', { name: 'Create a computed trait' }).click();
    const counted = section(page, 'What is counted');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await fill(counted, { Aggregate: 'Sum', 'Event name': event, 'In the last': '36', Unit: 'hours' });
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    const previewed = section(page, 'Who would have a value');
    expect(await previewed.getByRole('list', { name: 'Missing' }).innerText()).toBe('Of');
    await fill(counted, { Of: 'properties.totl' });
    await previewed.getByText('0 people would have a value.').waitFor();
    expect(await previewed.getByRole('list', { name: 'Warnings' }).innerText()).toBe(
      `Of: None of the newest 2 stored events called ${event} has properties.totl; did you mean properties.total?`,
    );
    await fill(counted, { Of: 'properties.total' });
    await previewed.getByText('1 person would have a value.').waitFor();
    await previewed.getByText('42.5', { exact: true }).waitFor();
    await counted.getByRole('button', { name: 'Add a condition' }).click();
    await fill(counted.getByRole('group', { name: 'Condition 1' }), {
      'Path in the event': 'properties.currency',
      Value: 'EUR',
    });
    await previewed.getByText('30', { exact: true }).waitFor();
    await previewed.getByRole('link', { name: userId }).waitFor();
    expect(await previewed.getByRole('list', { name: 'Warnings' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await counted
      .getByText(
        `Sum of properties.total in events of "${event}" where properties.currency is "EUR", in the last 36h.`,
      )
      .waitFor();
    await section(page, 'Who asks about it').getByText('Nobody').waitFor();
    await fill(section(page, 'What is it of somebody?'), { 'User id': userId });
    await page.getByRole('button', { name: 'Show' }).click();
    const value = page.getByRole('group', { name: 'Value' });
    await value.getByText('30', { exact: true }).waitFor();
    await page.goBack();
    await page.goForward();
    await value.getByText('30', { exact: true }).waitFor();
    await value.getByRole('link', { name: userId }).click();
    await page.getByRole('heading', { name: userId, level: 1 }).waitFor();
  });

  it('says who has no value, and who is not there', async () => {
    const { userId } = await someOrders();
    const { id } = await aTrait({ aggregate: 'avg' });
    const page = await harness.open('reader', `/computed-traits/${id}?userId=${userId}`);
    await page.getByRole('group', { name: 'Value' }).getByText('has no value now.').waitFor();
    harness.expectComplaint(/404/);
    await fill(section(page, 'What is it of somebody?'), { 'User id': randomUUID() });
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('alert').getByText('profile_not_found').waitFor();
    await page.goto(`${harness.url}/console/computed-traits/${randomUUID()}`);
    await page.getByRole('alert').getByText('computed_trait_not_found').waitFor();
    expect(await page.title()).toBe('Computed trait · Console');
  });

  it('says at its field what the service finds wrong', async () => {
    harness.expectComplaint(/400|409/);
    const { name: taken } = await aTrait();
    const page = await harness.open('admin', '/computed-traits/new');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    const counted = section(page, 'What is counted');
    await name.fill('2 paid');
    await fill(counted, { Aggregate: 'Largest', Of: 'a..b', 'Event name': 'Paid', 'In the last': '3650' });
    await page.getByRole('button', { name: 'Create' }).click();
    // The preview may say by now what it finds wrong itself.
    await page.getByRole('alert').filter({ hasText: 'Name: Must be a letter' }).waitFor();
    expect(await name.getAttribute('aria-invalid')).toBe('true');
    await name.fill(taken);
    await page.getByRole('button', { name: 'Create' }).click();
    await counted.getByText('Must be a dotted path into the event').waitFor();
    await fill(counted, { Of: 'a.b' });
    await page.getByRole('button', { name: 'Create' }).click();
    await counted.getByText('Events are kept for').waitFor();
    expect(await fieldIn(counted, 'Of').getAttribute('aria-invalid')).not.toBe('true');
    await fill(counted, { 'In the last': '30' });
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('name_taken').waitFor();
  });

  it('changes one, but not over the change of somebody else', async () => {
    const { id, name } = await aTrait();
    const page = await harness.open('admin', `/computed-traits/${id}`);
    await page.getByRole('link', { name: 'Edit' }).click();
    const counted = section(page, 'What is counted');
    await fill(counted, { Aggregate: 'Number of events' });
    await harness.api.put(`/computed-traits/${id}`, { description: 'of somebody else' });
    harness.expectComplaint(/412/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('version_mismatch').waitFor();
    await page.getByRole('button', { name: 'Load what it is now' }).click();
    await page.getByText('of somebody else').waitFor();
    expect(await fieldIn(counted, 'Aggregate').inputValue()).toBe('sum');
    await fill(counted, { Aggregate: 'Number of events' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await counted.getByText('Number of events of "Order Completed" in the last 30d.').waitFor();
    const { body } = await harness.api.get(`/computed-traits/${id}`);
    expect(body).toMatchObject({ description: 'of somebody else', aggregate: 'count' });
    expect(body).not.toHaveProperty('of');
  });

  it('says which segments ask about it, and that it stays what it is until then', async () => {
    const { id, name } = await aTrait();
    const segment = await aSegmentAbout(name);
    const page = await harness.open('admin', `/computed-traits/${id}`);
    const asking = section(page, 'Who asks about it');
    await asking.getByRole('link', { name: segment.name }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('cannot be deleted while it is asked about').waitFor();
    await dialog.getByRole('link', { name: segment.name }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    harness.expectComplaint(/409/);
    await page.goto(`${harness.url}/console/computed-traits/${id}/edit`);
    await asking.getByText('its description alone can be changed').waitFor();
    await fill(section(page, 'What is counted'), { 'In the last': '31' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('computed_trait_in_use').waitFor();
    await fill(section(page, 'What is counted'), { 'In the last': '30' });
    await page.getByLabel('Description').fill('What they paid.');
    await page.getByRole('button', { name: 'Save' }).click();
    // The form has this text, too.
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await page.getByText('What they paid.').waitFor();
    await asking.getByRole('link', { name: segment.name }).click();
    await page.getByRole('heading', { name: segment.name, level: 1 }).waitFor();
    await harness.api.delete(`/segments/${segment.id}`);
    await page.goto(`${harness.url}/console/computed-traits/${id}`);
    await asking.getByText('Nobody').waitFor();
    await confirm(page, 'Delete', new RegExp(`“${name}” will be deleted`));
    await page.getByRole('heading', { name: 'Computed traits', level: 1 }).waitFor();
    expect((await harness.api.get(`/computed-traits/${id}`)).status).toBe(404);
  });

  it('shows why it was not deleted where somebody has begun to ask meanwhile', async () => {
    const { id, name } = await aTrait();
    const page = await harness.open('admin', `/computed-traits/${id}`);
    await section(page, 'Who asks about it').getByText('Nobody').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const segment = await aSegmentAbout(name);
    harness.expectComplaint(/409/);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    const refusal = page.getByRole('dialog').getByRole('alert');
    await refusal.getByText('computed_trait_in_use').waitFor();
    harness.deleteAfterwards(`/segments/${segment.id}`);
  });

  it('says which destinations ask about it, and that its values are kept for them', async () => {
    const { id, name } = await aTrait();
    const condition = { field: `computed.${name}`, operator: 'gte', value: 1 };
    const destination = await shop.aDestination('', { filter: { conditions: [condition] } });
    const page = await harness.open('reader', '/computed-traits');
    await table(page, 'Computed traits')
      .getByRole('row')
      .filter({ hasText: name })
      .getByText('Kept')
      .waitFor();
    await table(page, 'Computed traits').getByRole('link', { name }).click();
    await page.getByText('they are kept up to date with each event').waitFor();
    await section(page, 'Who asks about it').getByRole('link', { name: destination.name }).click();
    await page.getByRole('heading', { name: destination.name, level: 1 }).waitFor();
    await harness.api.delete(`/destinations/${destination.id}`);
    await eventually(async () => {
      const { body } = await harness.api.get(`/computed-traits/${id}`);
      expect(body).toMatchObject({ values: 'counted' });
    });
    await page.goto(`${harness.url}/console/computed-traits/${id}`);
    await section(page, 'Who asks about it').getByText('Nobody').waitFor();
    await page.getByText('Its values are counted whenever somebody asks.').waitFor();
  });

  it('says how far its values are computed', async () => {
    const { id, name } = await aTrait();
    const { body } = await harness.api.get(`/computed-traits/${id}`);
    const computing = { ...body, values: 'computing', progress: 0.428 };
    const page = await harness.open('reader', '/computed-traits');
    await page.route(/\/computed-traits\?limit=\d+$/, (route) => route.fulfill({ json: [computing] }));
    await page.route(`**/computed-traits/${id}`, (route) =>
      route.request().resourceType() === 'fetch' ? route.fulfill({ json: computing }) : route.continue(),
    );
    await page.reload();
    await table(page, 'Computed traits').getByText('42 %').waitFor();
    await table(page, 'Computed traits').getByRole('link', { name }).click();
    await page.getByText('they are computed for everybody, and counted until then').waitFor();
    await page.getByText('42 %').waitFor();
  });

  it('finds who asks about it on whichever page of the segments they are', async () => {
    const { id, name } = await aTrait();
    const segment = await aSegmentAbout(name);
    const { body } = await harness.api.get(`/segments/${segment.id}`);
    const page = await harness.open('reader', '/computed-traits');
    const link = '</segments?limit=1000&cursor=next>; rel="next"';
    await page.route(/\/segments\?limit=1000$/, (route) => route.fulfill({ json: [], headers: { link } }));
    await page.route(/\/segments\?limit=1000&cursor=next$/, (route) => route.fulfill({ json: [body] }));
    await page.goto(`${harness.url}/console/computed-traits/${id}`);
    await section(page, 'Who asks about it').getByRole('link', { name: segment.name }).waitFor();
    harness.deleteAfterwards(`/segments/${segment.id}`);
  });

  it('has no button for a reader, and shows scripts as text', async () => {
    const where = [{ field: 'properties.x', operator: 'eq', value: SCRIPT }];
    const { id, name } = await aTrait({ description: SCRIPT, event: SCRIPT, where });
    const page = await harness.open('reader', '/computed-traits');
    await table(page, 'Computed traits').getByRole('link', { name }).click();
    await page.getByText(SCRIPT, { exact: true }).waitFor();
    await section(page, 'What is counted')
      .getByText(`properties.x is ${JSON.stringify(SCRIPT)}`)
      .waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    for (const deep of ['new', `${id}/edit`]) {
      await page.goto(`${harness.url}/console/computed-traits/${deep}`);
      await page.getByText('You may look at this, but not change it.').waitFor();
    }
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const { event, userId } = await someOrders();
    const where = [{ field: 'properties.currency', operator: 'in', value: ['EUR', 'USD'] }];
    const { id, name } = await aTrait({ event, where });
    const segment = await aSegmentAbout(name);
    const page = await harness.open('admin', '/computed-traits', options);
    const check = async (): Promise<void> => {
      expect(await harness.seriousViolations(page)).toEqual([]);
    };
    await table(page, 'Computed traits').waitFor();
    await check();
    await page.goto(`${harness.url}/console/computed-traits/${id}?userId=${userId}`);
    await page.getByRole('group', { name: 'Value' }).waitFor();
    await page.getByRole('link', { name: segment.name }).waitFor();
    await page.getByText('As JSON').click();
    await check();
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.getByRole('link', { name: segment.name }).waitFor();
    await check();
    harness.deleteAfterwards(`/segments/${segment.id}`);
  });
}
