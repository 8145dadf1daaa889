import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../../test/support/eventually';
import type { ConsoleHarness } from '../harness';
import { SCRIPT, section, table } from '../parts';
import { Shop } from '../shop';

export default function segmentsTests(harness: ConsoleHarness): void {
  let shop: Shop;
  beforeAll(async () => (shop = await Shop.open(harness)));
  afterAll(() => shop.close());

  /** People with a trait of their own, so that no other test counts them. */
  const people = async (mark: string, count: number): Promise<string[]> => {
    const ids = Array.from({ length: count }, (_, n) => `${mark}-${String(n).padStart(3, '0')}`);
    await shop.sendAll(...ids.map((userId) => ({ type: 'identify', userId, traits: { mark } })));
    await eventually(async () => {
      const { body } = await harness.api.get(`/profiles?prefix=${mark}&limit=1000`);
      expect(body).toHaveLength(count);
    });
    return ids;
  };

  const aSegment = async (members: object = {}): Promise<{ id: string; name: string }> => {
    const { status, body } = await harness.api.post('/segments', {
      name: `Segment ${randomUUID()}`,
      rules: [],
      ...members,
    });
    expect(status).toBe(201);
    return body;
  };

  const rule = (page: Page, name: string): Locator => page.getByRole('group', { name, exact: true });
  const inForm = (page: Page): Locator => page.getByRole('region', { name: 'Who would be in it' });
  const missing = (page: Page): Promise<string[]> =>
    inForm(page).getByRole('list', { name: 'Missing' }).getByRole('listitem').allInnerTexts();
  const json = async (page: Page): Promise<unknown> =>
    JSON.parse(await page.getByLabel('match and rules, as the API takes them').inputValue());

  it('creates a segment with the builder, and shows its members and why they are in it', async () => {
    const mark = randomUUID();
    await people(mark, 3);
    const name = `Marked ${mark}`;
    const page = await harness.open('admin', '/segments');
    await page.getByRole('link', { name: 'Create a segment' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await inForm(page).getByText('Complete the rules').waitFor();
    expect(await missing(page)).toEqual(['Rule 1, Name or path']);
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    await rule(page, 'Rule 1').getByLabel('Name or path').fill('mark');
    await rule(page, 'Rule 1').getByLabel('Value', { exact: true }).fill(mark);
    await inForm(page).getByText('3 people are in it.').waitFor();
    await inForm(page)
      .getByRole('link', { name: `${mark}-000` })
      .waitFor();
    expect(await page.getByLabel('count as having entered').isChecked()).toBe(false);
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByText(`mark is ${JSON.stringify(mark)}`).waitFor();
    await eventually(async () => expect(await table(page, 'Members').getByRole('row').count()).toBe(4));
    await table(page, 'Members').getByRole('link', { name: 'Why?' }).first().click();
    const explanation = page.getByRole('group', { name: 'Explanation' });
    await explanation.getByText('A member', { exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement.innerText')).toContain('A member');
    expect(await explanation.innerText()).toMatch(/Holds[^]*sees[^]*/);
    expect(new URL(page.url()).searchParams.get('userId')).toBe(`${mark}-000`);
    await table(page, 'Members')
      .getByRole('link', { name: `${mark}-001` })
      .click();
    await page.getByRole('heading', { name: `${mark}-001`, level: 1 }).waitFor();
  });

  it('has a field for everything that a rule can say', async () => {
    const other = await aSegment();
    const page = await harness.open('admin', '/segments/new');
    const add = (): Promise<void> => page.getByRole('button', { name: 'Add a rule' }).last().click();
    const fill = async (name: string, members: Record<string, string>): Promise<void> => {
      for (const [label, text] of Object.entries(members)) {
        const field = rule(page, name).getByLabel(label, { exact: true });
        if ((await field.evaluate((element: { tagName: string }) => element.tagName)) === 'SELECT')
          await field.selectOption({ label: text });
        else await field.fill(text);
      }
    };
    await fill('Rule 1', {
      Field: 'Number of events',
      'Event name': 'Order Completed',
      Type: 'track',
      'In the last': '30',
      Operator: 'is at least',
      Value: '3',
    });
    await add();
    await fill('Rule 2', { Field: 'Last seen', Operator: 'is before', Value: '30d' });
    await add();
    await fill('Rule 3', { Field: 'Trait of a group', 'Name or path': 'plan', Operator: 'is not there' });
    await add();
    await fill('Rule 4', { Field: 'Other segments', Operator: 'does not contain', Value: other.name });
    await add();
    await fill('Rule 5', { 'Name or path': 'address.city', Operator: 'is one of', 'Value 1': 'Riga' });
    await rule(page, 'Rule 5').getByRole('button', { name: 'Add a value' }).click();
    await fill('Rule 5', { 'Value 2 is': 'Number', 'Value 2': '7.5' });
    await rule(page, 'Rule 5').getByRole('button', { name: 'Add a value' }).click();
    await fill('Rule 5', { 'Value 3 is': 'Nothing' });
    await add();
    await fill('Rule 6', { Field: 'Groups', Operator: 'contains', Value: 'acme' });
    await page.getByRole('button', { name: 'Add a group' }).click();
    await rule(page, 'Group 7').getByLabel('Turn it around: those for whom it does not hold').check();
    await fill('Rule 7.1', { 'Name or path': 'vip', 'Value is': 'Yes or no', Value: 'no' });
    await rule(page, 'Group 7').getByRole('button', { name: 'Add a rule' }).click();
    await fill('Rule 7.2', {
      'Name or path': 'items',
      'Value is': 'List or object (JSON)',
      Value: '["a", 1]',
    });
    await inForm(page).getByText('0 people are in it.').waitFor();
    await page.getByText('JSON', { exact: true }).click();
    const expected = {
      match: 'all',
      rules: [
        {
          field: 'event_count',
          event: 'Order Completed',
          type: 'track',
          within: '30d',
          operator: 'gte',
          value: 3,
        },
        { field: 'last_seen', operator: 'lt', value: '30d' },
        { field: 'groups.plan', operator: 'not_exists' },
        { field: 'segments', operator: 'not_contains', value: other.id },
        { field: 'address.city', operator: 'in', value: ['Riga', 7.5, null] },
        { field: 'groups', operator: 'contains', value: 'acme' },
        {
          match: 'any',
          not: true,
          rules: [
            { field: 'vip', operator: 'eq', value: false },
            { field: 'items', operator: 'eq', value: ['a', 1] },
          ],
        },
      ],
    };
    expect(await json(page)).toEqual(expected);
    await page.getByText('Builder', { exact: true }).click();
    await page.getByRole('button', { name: 'Remove rule 7.1' }).click();
    await page.getByText('JSON', { exact: true }).click();
    expect(await json(page)).toMatchObject({
      rules: [...expected.rules.slice(0, 6), { rules: [{ field: 'items' }] }],
    });
  });

  it('counts what is written last, however late the answer to something earlier is', async () => {
    const [few, many] = [randomUUID(), randomUUID()];
    await people(few, 1);
    await people(many, 2);
    const page = await harness.open('admin', '/segments/new');
    const held: (() => Promise<void>)[] = [];
    await page.route('**/segments/preview', async (route) => {
      const body = route.request().postDataJSON() as { rules: { value: string }[] };
      if (body.rules[0]?.value === few) held.push(() => route.continue().catch(() => undefined));
      else await route.continue();
    });
    await rule(page, 'Rule 1').getByLabel('Name or path').fill('mark');
    await rule(page, 'Rule 1').getByLabel('Value', { exact: true }).fill(few);
    await eventually(() => expect(held).toHaveLength(1));
    const abandoned = page.waitForEvent('requestfailed', (request) =>
      request.url().endsWith('/segments/preview'),
    );
    await rule(page, 'Rule 1').getByLabel('Value', { exact: true }).fill(many);
    expect((await abandoned).failure()?.errorText).toBe('net::ERR_ABORTED');
    await inForm(page).getByText('2 people are in it.').waitFor();
    await held[0]?.();
    await rule(page, 'Rule 1').getByLabel('Value', { exact: true }).fill(`${many}!`);
    await inForm(page).getByText('0 people are in it.').waitFor();
  });

  it('takes rules as JSON, says what is wrong with them, and warns of what is probably not meant', async () => {
    harness.expectComplaint(/400/);
    await people(randomUUID(), 1);
    const page = await harness.open('admin', '/segments/new');
    await rule(page, 'Rule 1').getByLabel('Name or path').fill('marc');
    await inForm(page)
      .getByRole('list', { name: 'Warnings' })
      .getByText(/^Rule 1, Name or path: No profile has/)
      .waitFor();
    await page.getByText('JSON', { exact: true }).click();
    const text = page.getByLabel('match and rules, as the API takes them');
    await text.fill('{"rules": [{"field": "plan", "operator": "like", "value": "x"}]}');
    await inForm(page).getByRole('alert').getByText('rules[0].operator', { exact: true }).waitFor();
    await page.getByText('Builder', { exact: true }).click();
    await page.getByText('The builder cannot show this').waitFor();
    await text.fill('{"rules"');
    await inForm(page).getByText('Complete the rules').waitFor();
    await text.fill('{"match": "any", "rules": [{"field": "plan", "operator": "exists"}]}');
    await page.getByText('Builder', { exact: true }).click();
    expect(await page.getByLabel('Who is in it').inputValue()).toBe('any');
    expect(await rule(page, 'Rule 1').getByLabel('Operator').inputValue()).toBe('exists');
  });

  it('shows as JSON what is complete, keeps the rest, and takes a list of rules alone', async () => {
    const page = await harness.open('admin', '/segments/new');
    await page.getByText('JSON', { exact: true }).click();
    expect(await json(page)).toEqual({ match: 'all', rules: [] });
    await page.getByText('they are left out here, and still in the builder').waitFor();
    await page.getByText('Builder', { exact: true }).click();
    await rule(page, 'Rule 1').getByLabel('Name or path').fill('plan');
    await page.getByRole('button', { name: 'Add a rule' }).click();
    await page.getByText('JSON', { exact: true }).click();
    expect(await json(page)).toEqual({
      match: 'all',
      rules: [{ field: 'plan', operator: 'eq', value: '' }],
    });
    await page.getByText('Builder', { exact: true }).click();
    expect(await missing(page)).toEqual(['Rule 2, Name or path']);
    await page.getByText('JSON', { exact: true }).click();
    const text = page.getByLabel('match and rules, as the API takes them');
    await text.fill('[{"field": "plan", "operator": "exists"}, {"field": "vip", "operator": "exists"}]');
    expect(await page.getByText('left out here').count()).toBe(0);
    await inForm(page)
      .getByText(/\d (person is|people are) in it\./)
      .waitFor();
    await page.getByText('Builder', { exact: true }).click();
    expect(await page.getByLabel('Who is in it').inputValue()).toBe('all');
    expect(await rule(page, 'Rule 2').getByLabel('Name or path').inputValue()).toBe('vip');
    await page.getByText('JSON', { exact: true }).click();
    expect(await json(page)).toMatchObject({ match: 'all', rules: [{ field: 'plan' }, { field: 'vip' }] });
  });

  it('says of a segment that was saved what is probably not meant', async () => {
    await people(randomUUID(), 1);
    const [known, unknown] = ['mark', 'marc'].map((name) => ({
      field: `traits.${name}`,
      operator: 'exists',
    }));
    const { id } = await aSegment({ rules: [known, { match: 'any', rules: [known, unknown] }] });
    const page = await harness.open('admin', `/segments/${id}`);
    const note = page.getByRole('note', { name: 'Probably not meant so' });
    const warnings = note.getByRole('list', { name: 'Warnings' });
    await warnings.getByText(/^Rule 2\.2, Name or path: No profile has .*marc/).waitFor();
    expect(await warnings.innerText()).not.toContain('`');
    await table(page, 'Members').waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
  });

  it('changes a segment, but not over the change of somebody else', async () => {
    const [mark, other] = [randomUUID(), randomUUID()];
    await people(mark, 1);
    await people(other, 2);
    const { id, name } = await aSegment({ rules: [{ field: 'mark', operator: 'eq', value: mark }] });
    const page = await harness.open('admin', `/segments/${id}`);
    await table(page, 'Members')
      .getByRole('link', { name: `${mark}-000` })
      .waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await rule(page, 'Rule 1').getByLabel('Value', { exact: true }).fill(other);
    await inForm(page).getByText('2 people are in it.').waitFor();
    await harness.api.put(`/segments/${id}`, { description: 'of somebody else' });
    harness.expectComplaint(/412/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('version_mismatch').waitFor();
    await page.getByRole('button', { name: 'Load what it is now' }).click();
    await page.getByText('of somebody else').waitFor();
    expect(await rule(page, 'Rule 1').getByLabel('Value', { exact: true }).inputValue()).toBe(mark);
    await rule(page, 'Rule 1').getByLabel('Value', { exact: true }).fill(other);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await table(page, 'Members')
      .getByRole('link', { name: `${other}-001` })
      .waitFor();
    await page.getByText('of somebody else').waitFor();
  });

  it('is edited as it is now, and what was written stays where that cannot be read', async () => {
    const { id } = await aSegment();
    const page = await harness.open('admin', `/segments/${id}`);
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await harness.api.put(`/segments/${id}`, { description: 'of somebody else' });
    await page.getByRole('link', { name: 'Edit' }).click();
    const description = page.getByLabel('Description');
    expect(await description.inputValue()).toBe('of somebody else');
    await description.fill('Written for long');
    await harness.api.put(`/segments/${id}`, { description: 'of somebody else again' });
    harness.expectComplaint(/412|403/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('version_mismatch').waitFor();
    const asked = `**/segments/${id}`;
    await page.route(asked, (route) => route.fulfill({ status: 403, json: { code: 'not_now' } }));
    await page.getByRole('button', { name: 'Load what it is now' }).click();
    await page.getByRole('alert').getByText('not_now').waitFor();
    expect(await description.inputValue()).toBe('Written for long');
    await page.unroute(asked);
    await page.getByRole('button', { name: 'Load what it is now' }).click();
    await page.getByRole('alert').first().waitFor({ state: 'detached' });
    expect(await description.inputValue()).toBe('of somebody else again');
  });

  it('saves what was read, also when the change of somebody else has come in since', async () => {
    const { id } = await aSegment();
    const { body } = await harness.api.get(`/segments/${id}`);
    const page = await harness.open('admin', '/segments');
    const asked = `**/segments/${id}`;
    await page.route(asked, async (route) => {
      if (route.request().resourceType() === 'document') await route.continue();
      // While it is computed the page looks again and again.
      else await route.fulfill({ json: { ...body, state: 'computing' } });
    });
    await page.goto(`${harness.url}/console/segments/${id}/edit`);
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Renamed here');
    await harness.api.put(`/segments/${id}`, { description: 'of somebody else' });
    const lookedAgain = page.waitForResponse(
      async (response) => response.ok() && (await response.text()).includes('of somebody else'),
    );
    await page.unroute(asked);
    await lookedAgain;
    harness.expectComplaint(/412/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('version_mismatch').waitFor();
    expect((await harness.api.get(`/segments/${id}`)).body).toMatchObject({
      name: body.name,
      description: 'of somebody else',
    });
  });

  it('says so when it cannot ask again, with the time of what it shows', async () => {
    const { id } = await aSegment();
    const { body } = await harness.api.get(`/segments/${id}`);
    const page = await harness.open('admin', '/segments');
    const computing = { status: 200, json: { ...body, state: 'computing', progress: 0.42 } };
    let answer: { status: number; json: object } = computing;
    await page.route(`**/segments/${id}`, async (route) => {
      if (route.request().resourceType() === 'document') await route.continue();
      else await route.fulfill(answer);
    });
    await page.goto(`${harness.url}/console/segments/${id}`);
    await page.getByText('42 %').waitFor();
    harness.expectComplaint(/400|404/);
    answer = { status: 400, json: { code: 'broken', detail: 'It has no time.' } };
    await page.getByText(/Not up to date since .*: It has no time\./).waitFor();
    await page.getByText('42 %').waitFor();
    answer = computing;
    await page.getByRole('alert').waitFor({ state: 'detached' });
    answer = { status: 404, json: { code: 'segment_not_found', detail: 'It is gone.' } };
    await page.getByRole('alert').getByText('segment_not_found').waitFor();
    expect(await page.getByText('42 %').count()).toBe(0);
  });

  it('shows how far a computation is, and why one failed', async () => {
    const { id } = await aSegment();
    const { body } = await harness.api.get(`/segments/${id}`);
    const page = await harness.open('admin', '/segments');
    let answer: object = { ...body, state: 'computing', progress: 0.42 };
    await page.route(`**/segments/${id}`, async (route) => {
      if (route.request().resourceType() === 'document') await route.continue();
      else await route.fulfill({ json: answer });
    });
    await page.route('**/segments?*', (route) => route.fulfill({ json: [answer] }));
    await page.goto(`${harness.url}/console/segments`);
    await page.getByText('42 %').waitFor();
    answer = { ...body, state: 'computing', progress: 0.43 };
    await page.getByText('43 %').waitFor();
    await page.goto(`${harness.url}/console/segments/${id}`);
    await page.getByText('43 %').waitFor();
    answer = { ...body, state: 'failed', progress: 0.42, failure: 'a division by zero' };
    await page.getByText('a division by zero').waitFor();
    await page.unroute(`**/segments/${id}`);
    await page.getByRole('button', { name: 'Compute it again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Compute it again' }).click();
    await page.getByText('Live', { exact: true }).waitFor();
  });

  it('deletes a segment, and says who asks about one that cannot be', async () => {
    const asked = await aSegment();
    const asking = await aSegment({ rules: [{ field: 'segments', operator: 'contains', value: asked.id }] });
    const page = await harness.open('admin', `/segments/${asked.id}`);
    await section(page, 'Used by').getByRole('link', { name: asking.name }).waitFor();
    const confirm = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    };
    harness.expectComplaint(/409/);
    await confirm();
    await page.getByRole('dialog').getByText(asking.name).waitFor();
    await page.goto(`${harness.url}/console/segments/${asking.id}`);
    await page.getByText(`segments contains "${asked.name}"`).waitFor();
    await section(page, 'Used by').getByText('Nothing: it can be deleted.').waitFor();
    await confirm();
    await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
    await table(page, 'Segments').getByRole('link', { name: asked.name }).waitFor();
    expect(await page.getByRole('link', { name: asking.name }).count()).toBe(0);
  });

  it('has no button for a reader', async () => {
    const { id, name } = await aSegment();
    const page = await harness.open('reader', '/segments');
    await table(page, 'Segments').getByRole('link', { name }).waitFor();
    expect(await page.getByRole('link', { name: 'Create a segment' }).count()).toBe(0);
    await page.goto(`${harness.url}/console/segments/${id}`);
    await page.getByText('It has no rules').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    for (const deep of ['new', `${id}/edit`]) {
      await page.goto(`${harness.url}/console/segments/${deep}`);
      await page.getByText('You may look at this, but not change it.').waitFor();
    }
  });

  it('says so where there is no such segment, and no such user', async () => {
    harness.expectComplaint(/404/);
    const { id } = await aSegment();
    const page = await harness.open('reader', '/segments');
    await page.goto(`${harness.url}/console/segments/${randomUUID()}`);
    await page.getByRole('alert').getByText('segment_not_found').waitFor();
    await page.getByRole('heading', { name: 'Segment', level: 1, exact: true }).waitFor();
    expect(await page.title()).toBe('Segment · Console');
    await page.goto(`${harness.url}/console/segments/${id}`);
    await page.getByLabel('User id').fill(randomUUID());
    await page.getByRole('button', { name: 'Explain' }).click();
    await page.getByRole('alert').getByText('profile_not_found').waitFor();
  });

  it('shows scripts in names and rules as text', async () => {
    const name = `${SCRIPT} ${randomUUID()}`;
    const { id } = await aSegment({
      name,
      description: SCRIPT,
      rules: [{ field: `traits.${SCRIPT.replaceAll('.', '')}`, operator: 'eq', value: SCRIPT }],
    });
    const page = await harness.open('admin', `/segments/${id}`);
    await page.getByText(JSON.stringify(SCRIPT)).waitFor();
    await page.getByRole('link', { name: 'Edit' }).click();
    await rule(page, 'Rule 1').waitFor();
    expect(await page.evaluate('document.title')).toContain(name);
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const mark = randomUUID();
    await people(mark, 2);
    const rules = [
      { field: 'mark', operator: 'in', value: [mark, 5] },
      { match: 'any', not: true, rules: [{ field: 'event_count', operator: 'gt', value: 1_000 }] },
      {
        not: true,
        rules: [{ sequence: [{ event: 'identify' }, { event: `After ${mark}` }], within: '30d' }],
      },
    ];
    const { id } = await aSegment({ rules });
    const page = await harness.open('admin', '/segments', options);
    const check = async (): Promise<void> => {
      expect(await harness.seriousViolations(page)).toEqual([]);
    };
    await table(page, 'Segments').waitFor();
    await check();
    await page.goto(`${harness.url}/console/segments/${id}?userId=${mark}-000`);
    await page.getByRole('group', { name: 'How far it goes' }).getByText('1 of 2 steps:').waitFor();
    await table(page, 'Members').waitFor();
    await page.getByText('As JSON').click();
    await check();
    await page.getByRole('link', { name: 'Edit' }).click();
    await inForm(page).getByText('2 people are in it.').waitFor();
    await check();
    await page.getByText('JSON', { exact: true }).click();
    await page.getByLabel('match and rules, as the API takes them').waitFor();
    await check();
  });
}
