import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../../test/support/eventually';
import type { ConsoleHarness } from '../harness';
import { fieldIn, fill, SCRIPT, section } from '../parts';
import { Shop } from '../shop';

/** Rules about what people did. */
export default function segmentRulesTests(harness: ConsoleHarness): void {
  let shop: Shop;
  beforeAll(async () => (shop = await Shop.open(harness)));
  afterAll(() => shop.close());

  const group = (scope: Page | Locator, name: string): Locator =>
    scope.getByRole('group', { name, exact: true });
  const press = (scope: Page | Locator, name: string): Promise<void> =>
    scope.getByRole('button', { name, exact: true }).last().click();
  const inForm = (page: Page): Locator => section(page, 'Who would be in it');
  const asJson = async (page: Page): Promise<{ rules: unknown[] }> => {
    await page.getByText('JSON', { exact: true }).click();
    return JSON.parse(await page.getByLabel('match and rules, as the API takes them').inputValue());
  };
  const suggestions = (field: Locator): Promise<string[]> =>
    field.evaluate((input: { list: { options: Iterable<{ value: string }> } }) =>
      [...input.list.options].map(({ value }) => value),
    );

  /** Orders of one person, under a name that no other test has. */
  const someOrders = async (): Promise<{ added: string; paid: string; userId: string }> => {
    const mark = randomUUID();
    const [added, paid, userId] = [`Added ${mark}`, `Paid ${mark}`, `buyer-${mark}`];
    const properties = { total: 30, 'kind.of': 'shoes', items: [{ sku: 'a' }] };
    await shop.sendAll(
      { type: 'track', event: added, userId, properties: { price: 30 } },
      { type: 'track', event: paid, userId, properties },
      { type: 'track', event: paid, userId, properties: { ...properties, total: 12.5 } },
    );
    await eventually(async () => {
      const { body } = await harness.api.get(`/profiles/${userId}`);
      expect(body).toMatchObject({ eventCount: 3 });
    });
    return { added, paid, userId };
  };

  it('builds one about what is in events, with the names and paths of those that came', async () => {
    const { paid, userId } = await someOrders();
    const page = await harness.open('admin', '/segments/new');
    const rule = group(page, 'Rule 1');
    await fill(rule, { Field: 'What is in events', Aggregate: 'Sum', 'Event name': paid });
    await eventually(async () => expect(await suggestions(fieldIn(rule, 'Event name'))).toContain(paid));
    await eventually(async () =>
      expect((await suggestions(fieldIn(rule, 'Of'))).slice(0, 3)).toEqual([
        'properties.items',
        String.raw`properties.kind\.of`,
        'properties.total',
      ]),
    );
    await fill(rule, { Of: 'properties.total', 'In the last': '36', Unit: 'hours', Type: 'track' });
    await inForm(page).getByText('Complete the rules').waitFor();
    expect(await fieldIn(rule, 'Operator').inputValue()).toBe('gte');
    await rule.getByText('Where the values are in the event.').waitFor();
    await fill(rule, { Value: '42.5' });
    await inForm(page).getByText('1 person is in it.').waitFor();
    await inForm(page).getByRole('link', { name: userId }).waitFor();
    await press(rule, 'Add a condition');
    await fill(group(rule, 'Condition 1'), {
      'Path in the event': 'properties.total',
      Operator: 'is one of',
      'Value 1 is': 'Number',
      'Value 1': '12.5',
    });
    await inForm(page).getByText('0 people are in it.').waitFor();
    await press(rule, 'Add a value');
    await fill(group(rule, 'Condition 1'), { 'Value 2 is': 'Number', 'Value 2': '30' });
    await inForm(page).getByText('1 person is in it.').waitFor();
    await press(rule, 'Add a condition');
    await fill(group(rule, 'Condition 2'), {
      'Path in the event': String.raw`properties.kind\.of`,
      Operator: 'is there',
    });
    await press(rule, 'Add a condition');
    await press(rule, 'Remove condition 3');
    await inForm(page).getByText('1 person is in it.').waitFor();
    expect(await asJson(page)).toEqual({
      match: 'all',
      rules: [
        {
          event: paid,
          type: 'track',
          where: [
            { field: 'properties.total', operator: 'in', value: [12.5, 30] },
            { field: String.raw`properties.kind\.of`, operator: 'exists' },
          ],
          aggregate: 'sum',
          of: 'properties.total',
          within: '36h',
          operator: 'gte',
          value: 42.5,
        },
      ],
    });
  });

  it('builds numbers of events that hold something, and values that are no numbers', async () => {
    const { paid } = await someOrders();
    const page = await harness.open('admin', '/segments/new');
    const first = group(page, 'Rule 1');
    await fill(first, { Field: 'Number of events', Operator: 'is at least', Value: '1' });
    await inForm(page)
      .getByText(/people are in it|person is in it/)
      .waitFor();
    await press(first, 'Add a condition');
    await fill(group(first, 'Condition 1'), { 'Path in the event': 'properties.total', Value: 'x' });
    await inForm(page).getByText('Complete the rules').waitFor();
    await fill(first, { 'Event name': paid, 'In the last': '7' });
    await fill(group(first, 'Condition 1'), { 'Value is': 'Number', Value: '30' });
    await inForm(page).getByText('1 person is in it.').waitFor();
    await press(page, 'Add a rule');
    const second = group(page, 'Rule 2');
    await fill(second, {
      Field: 'What is in events',
      Aggregate: 'Last value',
      Of: 'event',
      'Event name': paid,
      'In the last': '7',
      Operator: 'begins with',
      Value: 'Paid',
    });
    await inForm(page).getByText('1 person is in it.').waitFor();
    const { rules } = await asJson(page);
    expect(rules).toEqual([
      {
        field: 'event_count',
        event: paid,
        where: [{ field: 'properties.total', operator: 'eq', value: 30 }],
        within: '7d',
        operator: 'gte',
        value: 1,
      },
      { event: paid, aggregate: 'last', of: 'event', within: '7d', operator: 'starts_with', value: 'Paid' },
    ]);
    await page.getByText('Builder', { exact: true }).click();
    // What goes with a sum is a number; the operator is the one that numbers begin with.
    await fill(group(page, 'Rule 2'), { Aggregate: 'Sum' });
    expect(await fieldIn(group(page, 'Rule 2'), 'Operator').inputValue()).toBe('gte');
    await inForm(page).getByText('Complete the rules').waitFor();
    await group(page, 'Rule 2').getByText('This is no number.').waitFor();
  });

  it('builds sequences of up to five steps, with what does not follow', async () => {
    const { added, paid } = await someOrders();
    const page = await harness.open('admin', '/segments/new');
    await press(page, 'Remove rule 1');
    await press(page, 'Add a sequence');
    const sequence = group(page, 'Sequence 1');
    await fill(group(sequence, 'Step 1'), { 'Event name': added });
    await press(group(sequence, 'Step 1'), 'Add a condition');
    await fill(group(sequence, 'Condition 1'), {
      'Path in the event': 'properties.price',
      Operator: 'is more than',
      'Value is': 'Number',
      Value: '20',
    });
    await fill(group(sequence, 'Step 2'), {
      'Event name': paid,
      Within: '90',
      Unit: 'minutes',
      Type: 'track',
    });
    await inForm(page).getByText('Complete the rules').waitFor();
    await fill(sequence, { 'In the last': '30', 'All steps within': '7' });
    await inForm(page).getByText('1 person is in it.').waitFor();

    await press(sequence, 'Add what does not follow');
    await fill(group(sequence, 'What does not follow'), { 'Event name': paid, Within: '1' });
    await inForm(page).getByText('0 people are in it.').waitFor();
    expect((await asJson(page)).rules).toEqual([
      {
        sequence: [
          { event: added, where: [{ field: 'properties.price', operator: 'gt', value: 20 }] },
          { event: paid, type: 'track', within: '90m' },
        ],
        allWithin: '7d',
        not: { event: paid, within: '1d' },
        within: '30d',
      },
    ]);
    await page.getByText('Builder', { exact: true }).click();
    await press(sequence, 'Remove step 1');
    // Nothing is before the first step.
    expect(await group(sequence, 'Step 1').getByRole('textbox', { name: 'Within' }).count()).toBe(0);
    await press(sequence, 'Remove what does not follow');
    await sequence.getByText('One step is no sequence').waitFor();
    // One step alone takes no time.
    expect(await sequence.getByLabel('All steps within').count()).toBe(0);
    for (let steps = 1; steps < 5; steps += 1) await press(sequence, 'Add a step');
    await group(sequence, 'Step 5').waitFor();
    for (const name of ['Add a step', 'Add what does not follow'])
      expect(await sequence.getByRole('button', { name }).count()).toBe(0);
  });

  it('names the events that a sequence looked for, and their steps', async () => {
    const { added, paid, userId } = await someOrders();
    const rules = [
      { sequence: [{ event: added }, { event: paid }], not: { event: paid, within: '1d' }, within: '3d' },
    ];
    const { body } = await harness.api.post('/segments', { name: `Explained ${randomUUID()}`, rules });
    const page = await harness.open('reader', `/segments/${body.id}?userId=${userId}`);
    const explanation = group(page, 'Explanation');
    const progress = group(explanation, 'How far it goes');
    await progress.getByText('2 of 2 steps:').waitFor();
    const steps = await progress.getByRole('listitem').allInnerTexts();
    expect(steps).toEqual([expect.stringContaining(`"${added}": `), expect.stringContaining(`"${paid}": `)]);
    expect(await progress.innerText()).toContain(`"${paid}" must not come until `);
    expect(await harness.seriousViolations(page)).toEqual([]);
    await explanation.getByText('The newest events that it looks for').click();
    await explanation.getByText(`"${added}" as step 1`).waitFor();
    await explanation.getByText(`"${paid}" as step 2 and what does not follow`).first().waitFor();
    harness.deleteAfterwards(`/segments/${body.id}`);
  });

  it('builds ranges of time, for sequences too, and says at its field what is wrong with one', async () => {
    harness.expectComplaint(/400/);
    const { added, paid } = await someOrders();
    const page = await harness.open('admin', '/segments/new');
    const rule = group(page, 'Rule 1');
    await fill(rule, { Field: 'Number of events', Operator: 'is at least', Value: '2' });
    await inForm(page)
      .getByText(/people are in it|person is in it/)
      .waitFor();
    await fill(rule, { When: 'in a range of time', 'Event name': paid });
    await inForm(page).getByText('Complete the rules').waitFor();
    await fill(rule, { From: '2026-13-01' });
    await rule.getByText('Must be a date or a time').waitFor();
    await fill(rule, { From: '2200-01-01', Before: '2199-01-01' });
    await rule.getByText('Must be after from').waitFor();
    await inForm(page).getByRole('alert').getByText('Rule 1, Before:', { exact: true }).waitFor();
    await fill(rule, { From: '', Before: '2199-01-01T12:00Z' });
    await inForm(page).getByText('1 person is in it.').waitFor();
    await press(page, 'Add a sequence');
    const sequence = group(page, 'Sequence 2');
    await fill(group(sequence, 'Step 1'), { 'Event name': added });
    await fill(group(sequence, 'Step 2'), { 'Event name': paid });
    await fill(sequence, { 'When it starts': 'in a range of time' });
    await fill(sequence, { From: '2026-01-01', Before: '2199-01-01' });
    await inForm(page).getByText('1 person is in it.').waitFor();
    expect((await asJson(page)).rules).toEqual([
      { field: 'event_count', event: paid, to: '2199-01-01T12:00Z', operator: 'gte', value: 2 },
      { sequence: [{ event: added }, { event: paid }], from: '2026-01-01', to: '2199-01-01' },
    ]);
    await page.getByText('Builder', { exact: true }).click();
    await inForm(page).getByText('1 person is in it.').waitFor();
    await fill(sequence, { 'When it starts': 'in the last days or hours' });
    await inForm(page).getByText('Complete the rules').waitFor();
  });

  it('asks about computed traits, with the operators that go with their values', async () => {
    const { paid } = await someOrders();
    const name = `paid_${randomUUID().replaceAll('-', '')}`;
    const measure = { event: paid, aggregate: 'sum', of: 'properties.total', within: '30d' };
    const created = await harness.api.post('/computed-traits', { name, ...measure });
    expect(created.status).toBe(201);
    const page = await harness.open('admin', '/segments/new');
    const rule = group(page, 'Rule 1');
    await fill(rule, { Field: 'Computed trait', 'Which one': name, Operator: 'is more than', Value: '42' });
    await inForm(page).getByText('1 person is in it.').waitFor();
    expect(await fieldIn(rule, 'Operator').innerText()).not.toContain('begins with');
    expect((await asJson(page)).rules).toEqual([{ field: `computed.${name}`, operator: 'gt', value: 42 }]);
    harness.deleteAfterwards(`/computed-traits/${created.body.id}`);
  });

  it('says at its field what is wrong, before the service is asked and after', async () => {
    harness.expectComplaint(/400/);
    const { paid } = await someOrders();
    const page = await harness.open('admin', '/segments/new');
    const rule = group(page, 'Rule 1');
    await fill(rule, { Field: 'What is in events', Aggregate: 'Average', 'Event name': paid });
    await fill(rule, { Of: 'properties..total', 'In the last': '721', Unit: 'hours', Value: 'many' });
    await rule.getByText('1 to 720 hours.').waitFor();
    await rule.getByText('This is no number.').waitFor();
    await inForm(page).getByText('Complete the rules').waitFor();
    for (const field of ['Rule 1, In the last', 'Rule 1, Value'])
      await inForm(page).getByText(field, { exact: true }).waitFor();
    await fill(rule, { Unit: 'days', Value: '5' });
    const problem = 'Must be a dotted path into the event';
    await rule.getByText(problem).waitFor();
    expect(await fieldIn(rule, 'Of').getAttribute('aria-invalid')).toBe('true');
    await inForm(page).getByRole('alert').getByText('Rule 1, Of:', { exact: true }).waitFor();
    await fill(rule, { Of: 'properties.total', 'In the last': '3650' });
    await rule.getByText('Events are kept for').waitFor();
    expect(await rule.getByText(problem).count()).toBe(0);
    await fill(rule, { 'In the last': '3' });
    await inForm(page).getByText('1 person is in it.').waitFor();
    expect(await rule.getByText('Events are kept for').count()).toBe(0);

    await press(page, 'Add a group');
    const inner = group(page, 'Rule 2.1');
    await fill(inner, { Field: 'Number of events', 'Event name': paid, 'In the last': '3', Value: '1' });
    await press(inner, 'Add a condition');
    await fill(group(inner, 'Condition 1'), { 'Path in the event': 'a..b' });
    await group(inner, 'Condition 1').getByText(problem).waitFor();
  });

  it('edits rules that are there, and changes nothing that it is not told to', async () => {
    const { added, paid } = await someOrders();
    const rules = [
      {
        event: paid,
        where: [{ field: 'properties.total', operator: 'not_in', value: [1, null, { a: [true] }] }],
        aggregate: 'count',
        within: '2d',
        operator: 'gte',
        value: 2,
      },
      { field: 'event_count', event: paid, type: 'track', within: '2d', operator: 'gte', value: 2 },
      {
        match: 'any',
        rules: [{ sequence: [{ event: added }, { event: paid, within: '36h' }], within: '48h' }],
      },
      { field: 'traits.computed.paid', operator: 'not_exists' },
      { event: paid, aggregate: 'most_frequent', of: 'event', from: '2026-01-01', operator: 'exists' },
    ];
    const { body } = await harness.api.post('/segments', { name: `Kept ${randomUUID()}`, rules });
    const page = await harness.open('admin', `/segments/${body.id}/edit`);
    await inForm(page).getByText('1 person is in it.').waitFor();
    expect(await asJson(page)).toEqual({ match: 'all', rules });
    harness.deleteAfterwards(`/segments/${body.id}`);
  });

  it('shows scripts in names of events and members as text', async () => {
    await shop.sendAll({ type: 'track', event: SCRIPT, userId: 'x', properties: { [SCRIPT]: 1 } });
    await eventually(async () => {
      const { body } = await harness.api.get(`/events?name=${encodeURIComponent(SCRIPT)}`);
      expect(body).not.toEqual([]);
    });
    const page = await harness.open('admin', '/segments/new');
    const rule = group(page, 'Rule 1');
    await fill(rule, { Field: 'What is in events', Aggregate: 'Sum', 'Event name': SCRIPT });
    await eventually(async () =>
      expect((await suggestions(fieldIn(rule, 'Of')))[0]).toBe(
        `properties.${SCRIPT.replaceAll('.', String.raw`\.`)}`,
      ),
    );
    await eventually(async () => expect(await suggestions(fieldIn(rule, 'Event name'))).toContain(SCRIPT));
    expect(await page.evaluate('document.title')).toContain('Create a segment');
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    harness.expectComplaint(/400/);
    const where = [{ field: 'properties.category', operator: 'in', value: ['shoes', 5] }];
    const rules = [
      { event: 'Paid', where, aggregate: 'sum', of: 'a..b', within: '30d', operator: 'gte', value: 500 },
      {
        sequence: [{ event: 'Added' }, { event: 'Checkout', where, within: '90m' }],
        not: { event: 'Paid', within: '1d' },
        within: '30d',
      },
      { event: 'Paid', aggregate: 'most_frequent', of: 'event', from: '2026-11-01', operator: 'exists' },
      {
        match: 'any',
        rules: [{ field: 'event_count', event: 'Paid', within: '36h', operator: 'gt', value: 1 }],
      },
    ];
    const page = await harness.open('admin', '/segments/new', options);
    await press(page, 'Remove rule 1');
    await page.getByText('JSON', { exact: true }).click();
    await page.getByLabel('match and rules, as the API takes them').fill(JSON.stringify({ rules }));
    await page.getByText('Builder', { exact: true }).click();
    await group(page, 'Rule 1').getByText('Must be a dotted path into the event').waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
  });
}
