import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/support/eventually';
import type { ConsoleHarness } from '../harness';
import { confirm, SCRIPT, section, table } from '../parts';
import { Shop } from '../shop';

const LABEL = 'Rules as JSON';
const RULES = [
  {
    type: 'track',
    event: 'Paid',
    schema: { properties: { properties: { properties: { total: { type: 'number' } } } } },
    onViolation: 'observe',
  },
];

export default function trackingPlansTests(harness: ConsoleHarness): void {
  let shop: Shop;
  beforeAll(async () => (shop = await Shop.open(harness)));
  afterAll(() => shop.close());

  const aPlan = async (members: object = {}): Promise<{ id: string; name: string }> => {
    const plan = { name: `Plan ${randomUUID()}`, rules: RULES, ...members };
    const { status, body } = await harness.api.post('/tracking-plans', plan);
    expect(status).toBe(201);
    return body;
  };

  it('creates a plan, says what is wrong with one, and shows its rules', async () => {
    const page = await harness.open('admin', '/tracking-plans');
    await page.getByRole('link', { name: 'Create a tracking plan' }).click();
    const name = `Plan ${randomUUID()}`;
    await page.getByLabel('Name').fill(name);
    await page.getByLabel(LABEL).fill('{"rules": [{"type": "track"');
    await page.getByText('This is no JSON object.').waitFor();
    expect(await page.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
    harness.expectComplaint(/400/);
    await page.getByLabel(LABEL).fill('{"rules": [{"type": "track"}]}');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('alert').getByText('rules[0].event', { exact: true }).waitFor();
    await page.getByLabel(LABEL).fill(JSON.stringify({ unplannedEvents: 'observe', rules: RULES }));
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    const rules = await page.getByRole('region', { name: 'the rules' }).innerText();
    expect(JSON.parse(rules)).toMatchObject({ unplannedEvents: 'observe', rules: RULES });
  });

  it('changes a plan, but not over the change of somebody else', async () => {
    const { id, name } = await aPlan();
    const page = await harness.open('admin', `/tracking-plans/${id}/edit`);
    await page.getByLabel(LABEL).fill(JSON.stringify({ unplannedEvents: 'block', rules: [] }));
    await harness.api.put(`/tracking-plans/${id}`, { description: 'of somebody else' });
    harness.expectComplaint(/412/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('version_mismatch').waitFor();
    await page.getByRole('button', { name: 'Load what it is now' }).click();
    await page.getByText('of somebody else').waitFor();
    await page.getByLabel(LABEL).fill(JSON.stringify({ unplannedEvents: 'block', rules: RULES }));
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await page.getByText('Version 3, changed').waitFor();
    expect((await harness.api.get(`/tracking-plans/${id}`)).body).toMatchObject({
      unplannedEvents: 'block',
      description: 'of somebody else',
    });
  });

  it('is given to a source, and shows in what its events differ', async () => {
    const { id, name } = await aPlan();
    const page = await harness.open('admin', `/sources/${shop.source.id}`);
    await section(page, 'Tracking plan').getByText('checked by no tracking plan').waitFor();
    await page.getByLabel('Check them by').selectOption({ label: name });
    await section(page, 'Tracking plan').getByRole('link', { name }).waitFor();
    const messageId = randomUUID();
    await shop.send({ userId: 'ada', event: 'Paid', messageId, properties: { total: 'much' } });
    await section(page, 'Tracking plan').getByRole('link', { name }).click();
    const row = table(page, 'Violations').getByRole('row').nth(1);
    await row.waitFor();
    expect(await row.innerText()).toMatch(
      /track Paid\s+properties\.total\s+It is not as its tracking plan says\. type\s+1\s/,
    );
    await row.getByRole('link', { name: messageId }).click();
    await table(page, 'Accepted events').getByRole('link', { name: 'Paid' }).waitFor();
    await page.goto(`${harness.url}/console/tracking-plans/${id}`);
    await page.getByRole('button', { name: 'Delete' }).click();
    harness.expectComplaint(/409/);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText(shop.source.name).waitFor();
    await page.goto(`${harness.url}/console/sources/${shop.source.id}`);
    await page.getByLabel('Check them by').selectOption({ label: 'No tracking plan' });
    await section(page, 'Tracking plan').getByText('checked by no tracking plan').waitFor();
    await page.goto(`${harness.url}/console/tracking-plans/${id}`);
    await confirm(page, 'Delete', new RegExp(`“${name}” is deleted`));
    await page.getByRole('heading', { name: 'Tracking plans', level: 1 }).waitFor();
    expect((await harness.api.get(`/tracking-plans/${id}`)).status).toBe(404);
  });

  it('keeps events apart, which are released or discarded, one or all that were found', async () => {
    const { body: source } = await harness.api.post('/sources', { name: `Strict ${randomUUID()}` });
    const { id } = await aPlan({ rules: [{ ...RULES[0], onViolation: 'quarantine' }] });
    await harness.api.put(`/sources/${source.id}`, { trackingPlanId: id });
    const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
    const api = harness.api.with({ authorization });
    const messageIds = Array.from({ length: 4 }, () => randomUUID());
    for (const messageId of messageIds)
      await api.post('/v1/track', { userId: 'ada', event: 'Paid', messageId, properties: { total: 'x' } });
    const kept = async (): Promise<number> =>
      (await harness.api.get(`/quarantined-events?sourceId=${source.id}`)).body.length;
    await eventually(async () => expect(await kept()).toBe(4));
    const path = `/events/quarantined?sourceId=${source.id}`;
    const reader = await harness.open('reader', path);
    await table(reader, 'Quarantined events').getByRole('button', { name: 'Paid' }).first().click();
    await reader.getByRole('dialog').getByText('schema_violation').waitFor();
    expect(await reader.getByRole('button', { name: /Release|Discard/ }).count()).toBe(0);
    const page = await harness.open('admin', path);
    const rows = table(page, 'Quarantined events').getByRole('row');
    for (const [label, left] of [
      ['Release it', 3],
      ['Discard it', 2],
    ] as const) {
      await rows.nth(1).getByRole('button', { name: 'Paid' }).click();
      await page.getByRole('button', { name: label }).click();
      await page.getByRole('dialog', { name: label }).getByRole('button', { name: label }).click();
      await eventually(async () => expect(await rows.count()).toBe(left + 1));
      expect(await kept()).toBe(left);
    }
    expect(await harness.seriousViolations(page)).toEqual([]);
    await confirm(page, 'Release them', /All events that this search finds/);
    await page.getByText('No such event is in quarantine.').waitFor();
    expect(await kept()).toBe(0);
    await eventually(async () => {
      const { body } = await harness.api.get(`/events?sourceId=${source.id}`);
      expect(body).toHaveLength(3);
    });
    expect(await page.getByRole('button', { name: 'Release them' }).count()).toBe(0);
  });

  it('has no button for a reader', async () => {
    const { id, name } = await aPlan({ description: SCRIPT });
    const page = await harness.open('reader', '/tracking-plans');
    await table(page, 'Tracking plans').getByRole('link', { name }).click();
    await page.getByRole('region', { name: 'the rules' }).waitFor();
    await page.getByText(SCRIPT).waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    await page.goto(`${harness.url}/console/sources/${shop.source.id}`);
    await section(page, 'Tracking plan').getByText('checked by no tracking plan').waitFor();
    expect(await page.getByLabel('Check them by').count()).toBe(0);
    for (const deep of ['new', `${id}/edit`]) {
      await page.goto(`${harness.url}/console/tracking-plans/${deep}`);
      await page.getByText('You may look at this, but not change it.').waitFor();
    }
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const { id } = await aPlan();
    const page = await harness.open('admin', '/tracking-plans', options);
    const check = async (): Promise<void> => {
      expect(await harness.seriousViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    };
    await table(page, 'Tracking plans').waitFor();
    await check();
    await page.goto(`${harness.url}/console/tracking-plans/${id}`);
    await page.getByRole('region', { name: 'the rules' }).waitFor();
    await page.getByText('All events were as planned').waitFor();
    await check();
    await page.goto(`${harness.url}/console/tracking-plans/${id}/edit`);
    await page.getByLabel(LABEL).waitFor();
    await check();
  });
}
