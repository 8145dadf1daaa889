import { randomUUID } from 'node:crypto';
import { Database } from '../../../src/platform/database/database';
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

/** The rule, so that it rejects payments of less. */
const atLeast = (minimum: number): object => ({
  ...RULES[0],
  schema: { properties: { properties: { properties: { total: { type: 'number', minimum } } } } },
  onViolation: 'block',
});

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
    expect((await page.getByRole('alert').innerText()).match(/rules\[0\]\.event/g)).toHaveLength(1);
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

  it('asks no more for what was deleted from the rules', async () => {
    const { id, name } = await aPlan({ unplannedEvents: 'block', unplannedProperties: 'omit' });
    const page = await harness.open('admin', `/tracking-plans/${id}/edit`);
    await page.getByLabel(LABEL).fill('{"unplannedProperties": "observe"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    expect((await harness.api.get(`/tracking-plans/${id}`)).body).toMatchObject({
      unplannedEvents: 'allow',
      unplannedProperties: 'observe',
      rules: [],
    });
  });

  it('learns a plan from what a source has sent, and tries another one on it before it is saved', async () => {
    const other = await Shop.open(harness);
    const paid = (total: number): object => ({
      type: 'track',
      userId: 'ada',
      event: 'Paid',
      properties: { total },
    });
    await other.sendAll(paid(1), paid(2), paid(3));
    const page = await harness.open('admin', `/sources/${other.source.id}`);
    await other.close();
    await page.getByRole('link', { name: 'Make one of what it has sent' }).click();
    const name = `Plan ${randomUUID()}`;
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Learn the rules from its events' }).click();
    await page.getByText(/learned from 3 events, which all pass them/).waitFor();
    const learned = JSON.parse(await page.getByLabel(LABEL).inputValue());
    expect(learned.rules).toMatchObject([{ type: 'track', event: 'Paid' }]);
    const trial = section(page, 'What would have become of stored events');
    const tryIt = trial.getByRole('button', { name: 'Try it on its events' });
    await tryIt.click();
    await trial.getByText('Of 3 events 3 pass.').waitFor();

    harness.expectComplaint(/400/);
    await page.getByLabel(LABEL).fill('{"rules": [{"type": "track"}]}');
    expect(await trial.getByText('Of 3 events').count()).toBe(0);
    await tryIt.click();
    await trial.getByRole('alert').getByText('plan.rules[0].event', { exact: true }).waitFor();

    await page.getByLabel(LABEL).fill(JSON.stringify({ rules: [atLeast(3)] }));
    await tryIt.click();
    await trial.getByText('Of 3 events 1 pass, 2 would be rejected.').waitFor();
    const row = table(page, 'In what events would differ').getByRole('row').nth(1);
    expect(await row.innerText()).toMatch(/track Paid\s+properties\.total\s+It must be >= 3\.\s+2\s/);
    expect(await harness.seriousViolations(page)).toEqual([]);
    const opened = page.context().waitForEvent('page');
    await row.getByRole('link').first().click();
    const beside = await opened;
    await beside.getByRole('heading', { name: 'Paid', level: 1 }).waitFor();
    await beside.close();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  it('shows its versions and in what they differ, and restores one, but not over the change of somebody else', async () => {
    const { id, name } = await aPlan();
    await harness.api.put(`/tracking-plans/${id}`, { unplannedEvents: 'block', rules: [atLeast(3)] });
    const reader = await harness.open('reader', `/tracking-plans/${id}`);
    await reader.getByRole('link', { name: 'Versions' }).click();
    const rows = table(reader, 'Versions').getByRole('row');
    await rows.nth(1).getByText('In force').waitFor();
    expect(await rows.count()).toBe(3);
    await rows.nth(1).getByRole('link', { name: 'Version 2' }).click();
    const differences = await table(reader, 'Differences').innerText();
    expect(differences).toMatch(/The plan\s+unplannedEvents\s+allow\s+block\s/);
    expect(differences).toMatch(/track Paid\s+onViolation\s+observe\s+block\s/);
    expect(differences).toMatch(/track Paid\s+properties\.total\s+minimum\s+nothing\s+3$/);
    await reader.goto(`${harness.url}/console/tracking-plans/${id}/versions/1`);
    await table(reader, 'Differences').waitFor();
    await reader.getByText('What it says, as JSON').click();
    const rules = await reader.getByRole('region', { name: 'the rules' }).innerText();
    expect(JSON.parse(rules)).toMatchObject({ unplannedEvents: 'allow', rules: RULES });
    expect(await harness.seriousViolations(reader)).toEqual([]);
    expect(await reader.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);

    const page = await harness.open('admin', `/tracking-plans/${id}/versions/1`);
    await page.getByRole('button', { name: 'Restore this version' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(`Version 3 of “${name}” is made`).waitFor();
    await harness.api.put(`/tracking-plans/${id}`, { description: 'of somebody else' });
    harness.expectComplaint(/412/);
    await dialog.getByRole('button', { name: 'Restore this version' }).click();
    await dialog.getByRole('alert').getByText('version_mismatch').waitFor();
    await dialog.getByRole('button', { name: 'Load what it is now' }).click();
    await dialog.waitFor({ state: 'detached' });
    await confirm(page, 'Restore this version', /Version 4 of/);
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await page.getByText('Version 4, changed').waitFor();
    expect((await harness.api.get(`/tracking-plans/${id}`)).body).toMatchObject({
      description: '',
      unplannedEvents: 'allow',
      rules: RULES,
    });
    await page.getByRole('link', { name: 'Versions' }).click();
    await table(page, 'Versions').getByRole('link', { name: 'Version 4' }).click();
    await table(page, 'Differences').getByText('of somebody else').waitFor();
    await page.getByLabel('Compared with').selectOption('Version 1');
    await page.getByText('They say the same.').waitFor();
    expect(new URL(page.url()).searchParams.get('with')).toBe('1');
    expect(await page.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
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
      /track Paid\s+properties\.total: It is not as its tracking plan says\. type\s+1\s+Accepted with violations\s/,
    );
    // The member is in one piece.
    expect(await row.getByText('properties.total').evaluate((code) => code.getClientRects().length)).toBe(1);
    await row.getByRole('link', { name: messageId }).click();
    await table(page, 'Accepted events').getByRole('link', { name: 'Paid' }).waitFor();
    await page.goto(`${harness.url}/console/tracking-plans/${id}`);
    await section(page, 'Used by').getByRole('link', { name: shop.source.name }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    harness.expectComplaint(/409/);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('alert').getByText(shop.source.name).waitFor();
    await page.goto(`${harness.url}/console/sources/${shop.source.id}`);
    await page.getByLabel('Check them by').selectOption({ label: 'No tracking plan' });
    await section(page, 'Tracking plan').getByText('checked by no tracking plan').waitFor();
    await page.goto(`${harness.url}/console/tracking-plans/${id}`);
    await section(page, 'Used by').getByText('Nothing: it can be deleted.').waitFor();
    await confirm(page, 'Delete', new RegExp(`“${name}” is deleted`));
    await page.getByRole('heading', { name: 'Tracking plans', level: 1 }).waitFor();
    expect((await harness.api.get(`/tracking-plans/${id}`)).status).toBe(404);
  });

  it('shows in what events differed for as long as that is kept, and what became of them', async () => {
    const { id } = await aPlan();
    const { body: source } = await harness.api.post('/sources', {
      name: `Planned ${randomUUID()}`,
      trackingPlanId: id,
    });
    const api = harness.api.with({
      authorization: `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`,
    });
    const sent = { userId: 'ada', event: 'Paid', properties: { total: 'much' } };
    const messageId = `of more characters than a UUID has ${randomUUID()}`;
    expect((await api.post('/v1/track', { ...sent, messageId })).status).toBe(200);
    const counted = async (): Promise<object[]> =>
      (await harness.api.get(`/tracking-plans/${id}/violations?from=2026-01-01`)).body;
    await eventually(async () => expect(await counted()).toMatchObject([{ counts: { accepted: 1 } }]));
    await harness.api.put(`/tracking-plans/${id}`, { rules: [{ ...RULES[0], onViolation: 'block' }] });
    await eventually(async () =>
      expect((await api.post('/v1/track', { ...sent, messageId: randomUUID() })).status).toBe(400),
    );
    await eventually(async () => expect(await counted()).toMatchObject([{ counts: { rejected: 1 } }]));
    const ago = (interval: string): Promise<unknown> =>
      harness.running.app
        .get(Database)
        .query(
          `update plan_violation_minute set minute = date_trunc('minute', now()) - $2::interval where plan_id = $1`,
          [id, interval],
        );
    await ago('25 hours');

    const page = await harness.open('reader', `/tracking-plans/${id}`);
    await page.getByText('All events were as planned').waitFor();
    await page.getByText('7 days', { exact: true }).click();
    const row = table(page, 'Violations').getByRole('row').nth(1);
    await row.getByText(/^Rejected: \d+$/).waitFor();
    await row.getByText(/^Accepted with violations: \d+$/).waitFor();
    await row.getByRole('link', { name: messageId, exact: true }).waitFor();
    expect(page.url()).toContain('span=week');
    await ago('30 days');
    await page.reload();
    await page.getByText('All events were as planned').waitFor();
    await page.getByLabel('7 days').press('ArrowRight');
    await row.getByText(/^Rejected: \d+$/).waitFor();
    expect(page.url()).toContain('span=month');
    expect(await harness.seriousViolations(page)).toEqual([]);
  });

  it('keeps events apart, which are released or discarded, one or all that were found', async () => {
    const { body: source } = await harness.api.post('/sources', { name: `Strict ${randomUUID()}` });
    const { id, name } = await aPlan({ rules: [{ ...RULES[0], onViolation: 'quarantine' }] });
    await harness.api.put(`/sources/${source.id}`, { trackingPlanId: id });
    const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
    const api = harness.api.with({ authorization });
    const messageIds = Array.from({ length: 6 }, () => randomUUID());
    for (const messageId of messageIds)
      await api.post(
        '/v1/track',
        `{"userId": "ada", "event": "Paid", "messageId": "${messageId}", "properties": {"total": "x", "id": 9007199254740993}}`,
      );
    const kept = async (): Promise<number> =>
      (await harness.api.get(`/quarantined-events?sourceId=${source.id}`)).body.length;
    await eventually(async () => expect(await kept()).toBe(6));
    const path = `/events/quarantined?sourceId=${source.id}`;
    const reader = await harness.open('reader', path);
    await table(reader, 'Quarantined events').getByRole('button', { name: 'Paid' }).first().click();
    await reader.getByRole('dialog').getByText('schema_violation').waitFor();
    await reader.getByRole('region', { name: 'the event' }).getByText('"id": 9007199254740993').waitFor();
    expect(await reader.getByRole('button', { name: /Release|Discard/ }).count()).toBe(0);
    expect(await reader.getByRole('checkbox').count()).toBe(0);
    await reader.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await table(reader, 'Quarantined events')
      .getByRole('link', { name: `${name}, version 1` })
      .first()
      .click();
    await reader.waitForURL(new RegExp(`/tracking-plans/${id}/versions/1$`));
    await reader.getByText('In force since').waitFor();
    await reader.goto(`${harness.url}/console/tracking-plans/${id}`);
    const sample = table(reader, 'Violations').getByRole('link', { name: messageIds[0]! });
    await sample.waitFor();
    const samples = table(reader, 'Violations').getByRole('cell').last();
    await samples.getByText(`Quarantined, message id ${messageIds[0]!}. It is "x".`).waitFor();
    expect(await harness.seriousViolations(reader)).toEqual([]);
    await sample.click();
    await reader.getByRole('heading', { name: 'Quarantined events', level: 1 }).waitFor();
    const found = table(reader, 'Quarantined events').getByRole('row');
    await found.nth(1).waitFor();
    expect(await found.count()).toBe(2);
    await reader.goto(`${harness.url}/console/events?messageId=${messageIds[1]}`);
    await reader.getByRole('link', { name: 'among the quarantined ones' }).click();
    await reader.getByRole('heading', { name: 'Quarantined events', level: 1 }).waitFor();
    await found.nth(1).waitFor();
    expect(await found.count()).toBe(2);
    const page = await harness.open('admin', path);
    const rows = table(page, 'Quarantined events').getByRole('row');
    await rows.nth(1).getByRole('link', { name: 'ada', exact: true }).waitFor();
    await rows.nth(1).getByText('properties.total: It must be number. It is "x".').waitFor();
    for (const [label, left] of [
      ['Release it', 5],
      ['Discard it', 4],
    ] as const) {
      await rows.nth(1).getByRole('button', { name: 'Paid' }).click();
      await page.getByRole('button', { name: label }).click();
      await page.getByRole('dialog', { name: label }).getByRole('button', { name: label }).click();
      await eventually(async () => expect(await rows.count()).toBe(left + 1));
      expect(await kept()).toBe(left);
    }
    expect(await harness.seriousViolations(page)).toEqual([]);
    await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
    expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(5);
    for (const messageId of messageIds.slice(0, 2))
      await page.getByRole('checkbox', { name: `Select Paid, message id ${messageId}` }).uncheck();
    await confirm(page, 'Discard 2 selected', /These are deleted for good: 2 selected events/);
    await page.getByText('Discarded: 2 events.').waitFor();
    await eventually(async () => expect(await rows.count()).toBe(3));
    const { body: left } = await harness.api.get(`/quarantined-events?sourceId=${source.id}`);
    const leftIds = left.map(({ messageId }: { messageId: string }) => messageId);
    expect(leftIds.toSorted()).toEqual(messageIds.slice(0, 2).toSorted());
    const which = `: all quarantined events where Source is “${source.name}” (2).`;
    await confirm(page, 'Release them', which);
    await page.getByText('Released: 2 events. Left: 0.').waitFor();
    await page.getByText('No such event is in quarantine.').waitFor();
    expect(await kept()).toBe(0);
    await eventually(async () => {
      const { body } = await harness.api.get(`/events?sourceId=${source.id}`);
      expect(body).toHaveLength(3);
    });
    expect(await page.getByRole('button', { name: 'Release them' }).count()).toBe(0);
  });

  it('offers nothing to be done to quarantined events by filters that nobody has searched for', async () => {
    const { body: source } = await harness.api.post('/sources', { name: `Strict ${randomUUID()}` });
    const { id } = await aPlan({ rules: [], unplannedEvents: 'quarantine' });
    await harness.api.put(`/sources/${source.id}`, { trackingPlanId: id });
    const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
    for (const event of ['Totally New', 'Paid', 'Paid'])
      await harness.api.with({ authorization }).post('/v1/track', { userId: 'ada', event });
    const kept = async (): Promise<string[]> => {
      const { body } = await harness.api.get(`/quarantined-events?sourceId=${source.id}`);
      return body.map(({ name }: { name: string }) => name).toSorted();
    };
    await eventually(async () => expect(await kept()).toEqual(['Paid', 'Paid', 'Totally New']));
    const page = await harness.open('admin', `/events/quarantined?sourceId=${source.id}`);
    const release = page.getByRole('button', { name: 'Release them' });
    const discard = page.getByRole('button', { name: 'Discard them' });
    await discard.waitFor();
    expect(await discard.isEnabled()).toBe(true);
    await page.getByLabel('Name', { exact: true }).fill('Totally New');
    await page.getByText('The filters were changed').waitFor();
    expect([await release.isEnabled(), await discard.isEnabled()]).toEqual([false, false]);
    expect(await harness.seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/name=Totally/);
    await page.getByText('The filters were changed').waitFor({ state: 'detached' });
    const which = `where Source is “${source.name}” and Name is “Totally New” (1).`;
    await confirm(page, 'Discard them', which);
    await page.getByText('Discarded: 1 event.').waitFor();
    expect(await kept()).toEqual(['Paid', 'Paid']);
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
