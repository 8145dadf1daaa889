import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../../test/support/eventually';
import type { ConsoleHarness } from '../harness';
import { confirm, SCRIPT, section, table } from '../parts';
import { Shop } from '../shop';

const SAME = 'export const transform = (event) => event;\n';
const CHANGING = 'export const transform = ({ context, ...event }) => ({ ...event, shop: "north" });\n';

export default function transformationsTests(harness: ConsoleHarness): void {
  let shop: Shop;
  beforeAll(async () => (shop = await Shop.open(harness)));
  afterAll(() => shop.close());

  const aTransformation = async (
    code = SAME,
    members: object = {},
  ): Promise<{ id: string; name: string }> => {
    const name = `Code ${randomUUID()}`;
    const { status, body } = await harness.api.post('/transformations', { name, code, ...members });
    expect(status).toBe(201);
    return body;
  };
  const codeOf = (page: Page): Locator => page.getByRole('textbox', { name: 'Code', exact: true });
  /** Over all that is there, as people do it. */
  const writeCode = async (page: Page, text: string): Promise<void> => {
    await codeOf(page).press('ControlOrMeta+a');
    await page.keyboard.type('x');
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText(text);
  };
  const trialOn = (page: Page): Locator => section(page, 'What it makes of the newest events');
  const tryOn = async (page: Page, event: string): Promise<Locator> => {
    const trial = trialOn(page);
    await trial.getByLabel('Filter as JSON').fill(JSON.stringify({ events: [event] }));
    await trial.getByRole('button', { name: 'Try it on the newest events' }).click();
    return trial;
  };
  /** Stored, so that code can be tried on it. */
  const anEvent = async (event: string, properties: string): Promise<void> => {
    const messageId = randomUUID();
    await shop.send(
      `{"messageId": "${messageId}", "userId": "ada", "event": "${event}", "properties": ${properties}}`,
    );
    await eventually(async () => {
      const { body } = await harness.api.get(`/events?messageId=${messageId}`);
      expect(body).toHaveLength(1);
    });
  };

  it('creates one, tried on the newest events beside the code, with the lines that fail', async () => {
    const event = `Paid ${randomUUID()}`;
    await anEvent(event, '{"kind": "plain", "total": 1.0}');
    await anEvent(event, '{"kind": "wrong"}');
    await anEvent(event, '{"kind": "none"}');
    const page = await harness.open('admin', '/transformations');
    await page.getByRole('link', { name: 'Create a transformation' }).click();
    const name = `Code ${randomUUID()}`;
    await page.getByLabel('Name').fill(name);
    const code = codeOf(page);
    expect(await code.innerText()).toContain('export function transform(event) {');
    await writeCode(page, 'export function transform( {');
    harness.expectComplaint(/400/);
    const trial = await tryOn(page, event);
    await trial.getByRole('alert').getByText('Line 1: SyntaxError').waitFor();
    const beside = page.locator('form p').filter({ hasText: /^Line 1: SyntaxError/ });
    await beside.waitFor();
    expect(await page.locator('.cm-wrongLine').innerText()).toBe('export function transform( {');
    await writeCode(page, 'export function transform( [');
    await beside.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.getByRole('button', { name: 'Create' }).click();
    await beside.waitFor();
    await eventually(async () => {
      const { y = 0, height = 0 } = (await beside.boundingBox()) ?? {};
      expect(y).toBeGreaterThan(0);
      expect(y + height).toBeLessThan(600);
    });

    await writeCode(
      page,
      [
        'export function transform({ properties: { kind }, context, ...event }) {',
        '  if (kind === "none") return null;',
        '  if (kind === "wrong") return kind.nothing.there;',
        '  return { ...event, shop: "north" };',
        '}',
      ].join('\n'),
    );
    await trial.getByRole('button', { name: 'Try it on the newest events' }).click();
    await trial.getByText('Of 3 events 1 would be changed, 1 would not be sent, 1 would fail.').waitFor();
    await trial.getByText('Line 3: TypeError').waitFor();
    expect(await page.locator('.cm-wrongLine').innerText()).toContain('kind.nothing.there');
    const differences = await table(page, 'Differences').innerText();
    expect(differences).toMatch(/\/properties\s+{"kind":"plain","total":1\.0}\s+nothing/);
    expect(differences).toMatch(/\/shop\s+nothing\s+"north"/);
    await trial.getByText('Before and after, as JSON').last().click();
    const [before, after] = await Promise.all(
      ['before', 'after'].map((of) => page.getByRole('region', { name: of, exact: true }).innerText()),
    );
    expect(before).toContain('"total": 1.0');
    expect(JSON.parse(after ?? '')).toMatchObject({ event, shop: 'north' });
    expect(await harness.seriousViolations(page)).toEqual([]);

    await code.press('End');
    await page.keyboard.type(' ');
    await trial.getByText('The code was changed since.').waitFor();
    await eventually(async () => expect(await page.locator('.cm-wrongLine').count()).toBe(0));
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await page.getByRole('region', { name: 'the code' }).getByText('kind.nothing.there').waitFor();
  });

  it('loads the editor for those who write, and for no page before', async () => {
    const page = await harness.open('admin', '/transformations');
    const scripts = (): Promise<string[]> =>
      page.evaluate(`performance.getEntriesByType('resource').map(({ name }) => name)`);
    await page.getByRole('link', { name: 'Create a transformation' }).waitFor();
    expect(await scripts()).not.toContainEqual(expect.stringContaining('code-mirror'));
    await page.getByRole('link', { name: 'Create a transformation' }).click();
    await codeOf(page).waitFor();
    expect(await scripts()).toContainEqual(expect.stringContaining('code-mirror'));
  });

  it('changes one, but not over the change of somebody else', async () => {
    const { id, name } = await aTransformation();
    const page = await harness.open('admin', `/transformations/${id}/edit`);
    const code = codeOf(page);
    await writeCode(page, CHANGING);
    await harness.api.put(`/transformations/${id}`, { description: 'of somebody else' });
    harness.expectComplaint(/412/);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('version_mismatch').waitFor();
    await page.getByRole('button', { name: 'Load what it is now' }).click();
    await page.getByText('of somebody else').waitFor();
    await code.getByText('(event) => event').waitFor();
    await writeCode(page, CHANGING);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await page.getByText('Version 3, changed').waitFor();
    const { body } = await harness.api.get(`/transformations/${id}`);
    expect(body).toMatchObject({ description: 'of somebody else', code: CHANGING });
  });

  it('shows its versions, and restores one', async () => {
    const { id, name } = await aTransformation();
    await harness.api.put(`/transformations/${id}`, { code: CHANGING });
    const page = await harness.open('admin', `/transformations/${id}`);
    await page.getByRole('link', { name: 'Versions' }).click();
    const rows = table(page, 'Versions').getByRole('row');
    await rows.nth(1).getByText('In force').waitFor();
    expect(await rows.count()).toBe(3);
    await rows.nth(2).getByRole('link', { name: 'Version 1' }).click();
    await page.getByRole('region', { name: 'the code' }).getByText(SAME.trim()).waitFor();
    const differences = await page.getByRole('region', { name: 'the differences' }).innerText();
    expect(differences).toContain(`- ${SAME}+ ${CHANGING}`);
    expect(await harness.seriousViolations(page)).toEqual([]);
    await confirm(page, 'Restore this version', /Version 3 of/);
    await page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
    await page.getByText('Version 3, changed').waitFor();
    expect((await harness.api.get(`/transformations/${id}`)).body).toMatchObject({ code: SAME });
  });

  it('is given to a destination, which gets what it makes of events, and cannot be deleted then', async () => {
    const { id, name } = await aTransformation(CHANGING);
    const path = `/transformed-${randomUUID()}`;
    const destination = await shop.aDestination(path, { sources: [shop.source.id] });
    const page = await harness.open('admin', `/destinations/${destination.id}/settings`);
    const settings = page.getByRole('form', { name: 'Settings' });
    await settings.getByLabel('Transformation').selectOption({ label: name });
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Saved.').waitFor();
    await shop.send({ userId: 'ada', event: 'Paid' });
    const received = await eventually(() => {
      const [first] = shop.receiver.received.filter((request) => request.path === path);
      if (first === undefined) throw new Error('Nothing has come.');
      return first;
    });
    expect(JSON.parse(received.body)).toMatchObject({ event: 'Paid', shop: 'north' });
    await page.goto(`${harness.url}/console/destinations/${destination.id}`);
    await section(page, 'What it gets').getByRole('link', { name }).click();
    await section(page, 'Used by').getByRole('link', { name: destination.name }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    harness.expectComplaint(/409/);
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await page.goto(`${harness.url}/console/destinations/${destination.id}/settings`);
    await eventually(async () => expect(await settings.getByLabel('Transformation').inputValue()).toBe(id));
    await settings.getByLabel('Transformation').selectOption({ label: 'None' });
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Saved.').waitFor();
    await page.goto(`${harness.url}/console/transformations/${id}`);
    await confirm(page, 'Delete', new RegExp(`“${name}” is deleted`));
    await page.getByRole('heading', { name: 'Transformations', level: 1 }).waitFor();
    expect((await harness.api.get(`/transformations/${id}`)).status).toBe(404);
    harness.deleteAfterwards(`/destinations/${destination.id}`);
  });

  it('is tried by a reader, who has no button to change it', async () => {
    const event = `Read ${randomUUID()}`;
    await anEvent(event, JSON.stringify({ text: SCRIPT }));
    const { id, name } = await aTransformation(
      'export const transform = ({ properties, ...event }) => [event, { ...event, properties }];',
      { description: SCRIPT },
    );
    const page = await harness.open('reader', '/transformations');
    await table(page, 'Transformations').getByRole('link', { name }).click();
    await page.getByText(SCRIPT).waitFor();
    const trial = await tryOn(page, event);
    await trial.getByText('Event 2 of 2').waitFor();
    await table(page, 'Differences').first().getByText('document.title').waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Edit' }).count()).toBe(0);
    for (const deep of ['new', `${id}/edit`]) {
      await page.goto(`${harness.url}/console/transformations/${deep}`);
      await page.getByText('You may look at this, but not change it.').waitFor();
    }
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const event = `Seen ${randomUUID()}`;
    await anEvent(event, '{"total": 1}');
    const { id } = await aTransformation(
      `// One comment\nexport function transform(event) {\n  const total = 1 + 0.5;\n  return { ...event, total, is: true, text: "${'x'.repeat(300)}" };\n}\n`,
    );
    const page = await harness.open('admin', '/transformations', options);
    const check = async (): Promise<void> => {
      expect(await harness.seriousViolations(page)).toEqual([]);
    };
    await table(page, 'Transformations').waitFor();
    await check();
    await page.goto(`${harness.url}/console/transformations/${id}`);
    await page.getByRole('region', { name: 'the code' }).waitFor();
    await check();
    await page.goto(`${harness.url}/console/transformations/${id}/edit`);
    await codeOf(page).waitFor();
    const trial = await tryOn(page, event);
    await trial.getByText('Of 1 event 1 would be changed.').waitFor();
    await trial.getByText('Before and after, as JSON').click();
    await check();
  });
}
