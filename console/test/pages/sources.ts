import { randomUUID } from 'node:crypto';
import { eventually } from '../../../test/support/eventually';
import { buildService } from '../../../test/support/built-service';
import type { ConsoleHarness } from '../harness';
import { confirm, isFocused, markedFields } from '../parts';

const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

export default function sourcesTests(harness: ConsoleHarness): void {
  const aName = (): string => `Shop ${randomUUID().slice(0, 8)}`;
  const created = async (name = aName()): Promise<{ id: string; name: string; writeKey: string }> =>
    (await harness.api.post('/sources', { name, description: 'Made for a test' })).body;

  const send = (writeKey: string, event: object): Promise<{ status: number }> => {
    const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
    return harness.api.with({ authorization }).post('/v1/track', event);
  };

  it('creates a source and shows its write key until it was copied', async () => {
    const page = await harness.open('admin', '/sources');
    const name = aName();
    await page.getByRole('button', { name: 'Create a source' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Write key of ${name}` });
    const shown = dialog.getByTestId('write-key');
    const writeKey = await shown.innerText();
    expect(writeKey).toMatch(/^[0-9a-f]{64}$/);
    await dialog.getByRole('button', { name: 'Copy the write key' }).click();
    await dialog.getByText('Copied').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(writeKey);
    expect(await shown.innerText()).toBe(`${writeKey.slice(0, 8)}…`);
    await dialog.getByRole('button', { name: 'Copy the snippet for Node.js' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(`writeKey: '${writeKey}'`);
    await dialog.getByRole('button', { name: 'Go on to the first event' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
  });

  it('marks the field that the service finds wrong, and comes to it', async () => {
    harness.expectComplaint(/40[09]/);
    const { name } = await created();
    const page = await harness.open('admin', '/sources');
    await page.getByRole('button', { name: 'Create a source' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByLabel('Kind').selectOption('webhook');
    await dialog.getByLabel('Signature').selectOption('standard-webhooks');
    await dialog.getByLabel('Secrets').fill('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\nno Base64!');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByRole('alert').getByText('Secrets, number 2:', { exact: true }).waitFor();
    expect(await markedFields(page)).toEqual(['Secrets']);
    await dialog.getByText(/^number 2: Must be Base64/).waitFor();
    await isFocused(dialog.getByLabel('Secrets'));
    await dialog.getByLabel('Signature').selectOption('');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByRole('alert').getByText('Name:', { exact: true }).waitFor();
    expect(await markedFields(page)).toEqual(['Name']);
    await isFocused(dialog.getByLabel('Name'));
    expect(await harness.seriousViolations(page)).toEqual([]);
  });

  it('creates a webhook, shows its address, and runs requests again that were kept', async () => {
    // Threads of the sandbox run what is built.
    buildService();
    const transformation = `Of ${aName()}`;
    const code = `export const transform = ({ body }) => ({ type: 'track', event: body.type, userId: 'ada' });`;
    await harness.api.post('/transformations', { name: transformation, code });
    const page = await harness.open('admin', '/sources');
    const name = aName();
    await page.getByRole('button', { name: 'Create a source' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Kind').selectOption('webhook');
    await page.getByLabel('Signature').selectOption('hmac');
    const masksStay = page.getByText('What begins with **** stays as it is.');
    await page.getByText('One a line: any of them may sign.').waitFor();
    expect(await masksStay.count()).toBe(0);
    await page.getByLabel('Secrets').fill('a secret of some length');
    await page.getByLabel('Header of the signature').fill('X-Proof');
    expect(await page.getByLabel('Seconds from now').count()).toBe(0);
    await page.getByLabel('Header of the time').fill('X-Time');
    await page.getByLabel('Seconds from now').fill('60');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Address of ${name}` });
    await dialog.getByRole('button', { name: 'Copy the address' }).click();
    const address = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(address).toMatch(/\/v1\/hooks\/[0-9a-f]{64}$/);
    await dialog.getByRole('button', { name: 'Go on to the first event' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    const kept = page.getByText('Its requests are kept, and no events are made of them until');
    await kept.waitFor();
    expect(await page.content()).not.toContain(address);
    const post = async (): Promise<number> => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify({ type: SCRIPT });
      return (await fetch(address, { method: 'POST', headers, body })).status;
    };
    expect(await post()).toBe(401);
    expect(await page.getByLabel('Secrets').inputValue()).toBe('****ngth');
    await masksStay.waitFor();
    expect(await page.getByLabel('Seconds from now').inputValue()).toBe('60');
    await page.getByLabel('Signature', { exact: true }).selectOption('');
    await page.getByLabel('Requests', { exact: true }).selectOption('track');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByText('Waiting for your first event…').waitFor();
    expect(await kept.count()).toBe(0);
    await page.getByLabel('Requests', { exact: true }).selectOption('keep');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await post()).toBe(200);
    const table = page.getByRole('table', { name: 'Failed requests' });
    await table.getByText('Nobody has said yet what events are made of the requests').waitFor();
    await table.getByText('As it came').click();
    await table.getByText('<script>').waitFor();
    await page.getByLabel('Transformation').selectOption({ label: transformation });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.reload();
    await table.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
    await page.getByText('No request failed.').waitFor();
    await page.getByText('Events arrive').waitFor();
    expect(await page.title()).toBe(`${name} · Console`);
  });

  it('says why the code of a webhook failed, with the request on lines, and discards that one', async () => {
    buildService();
    const code = `export const transform = ({ body }) => {\n  return { type: 'track', event: body.sender.login };\n};`;
    const transformation = (await harness.api.post('/transformations', { name: `Of ${aName()}`, code })).body;
    const webhook = { name: aName(), kind: 'webhook', transformationId: transformation.id };
    const { id, writeKey } = (await harness.api.post('/sources', webhook)).body;
    const post = (body: string): Promise<unknown> => {
      const headers = { 'content-type': 'application/json' };
      return fetch(`${harness.url}/v1/hooks/${writeKey}`, { method: 'POST', headers, body });
    };
    await post(`{"total": 1.0, "html": ${JSON.stringify(SCRIPT.repeat(9))}}`);
    await post('{"sender": {"login": 7}}');
    const page = await harness.open('admin', `/sources/${id}`);
    const requests = page.getByRole('table', { name: 'Failed requests' });
    const failed = requests.getByRole('row').filter({ hasText: 'transformation_failed' });
    await failed.getByText(/line 2: TypeError: .*'login'/).waitFor();
    const wrong = requests.getByRole('row').filter({ hasText: 'missing_identity' });
    expect(await wrong.innerText()).toMatch(/missing_event_name|invalid_event_name/);
    await failed.getByText('As it came').click();
    const request = requests.getByRole('region', { name: 'the request' });
    expect(await request.innerText()).toMatch(/\n {2}"body": \{\n {4}"total": 1\.0,\n {4}"html": /);
    expect(await harness.seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy the request' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('{"total":');
    const act = failed.getByRole('button', { name: 'Run again' });
    const width = await page.evaluate('document.documentElement.clientWidth');
    const box = await act.boundingBox();
    expect(box!.x + box!.width).toBeLessThan(Number(width));
    await failed.getByRole('button', { name: 'Discard' }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard' });
    await dialog.getByText('deleted for good').waitFor();
    await dialog.getByRole('button', { name: 'Discard' }).click();
    await failed.waitFor({ state: 'detached' });
    expect((await harness.api.get(`/hook-requests?sourceId=${id}`)).body).toHaveLength(1);
    const reader = await harness.open('reader', `/sources/${id}`);
    await reader.getByRole('table', { name: 'Failed requests' }).waitFor();
    expect(await reader.getByRole('button', { name: /Run again|Discard/ }).count()).toBe(0);
  });

  it('shows all failed requests, and discards those that it does not show, too', async () => {
    const webhook = { name: aName(), kind: 'webhook' };
    const { id, writeKey } = (await harness.api.post('/sources', webhook)).body;
    const address = `${harness.url}/v1/hooks/${writeKey}`;
    const headers = { 'content-type': 'application/json' };
    await Promise.all(
      Array.from({ length: 51 }, (_, count) =>
        fetch(address, { method: 'POST', headers, body: JSON.stringify({ count }) }),
      ),
    );
    const path = `/hook-requests?sourceId=${id}&limit=100`;
    await eventually(async () => expect((await harness.api.get(path)).body).toHaveLength(51));
    const page = await harness.open('admin', `/sources/${id}`);
    await page.getByRole('button', { name: 'Show more' }).click();
    const rows = page.getByRole('table', { name: 'Failed requests' }).getByRole('row');
    await rows.nth(51).waitFor();
    await confirm(page, 'Discard all', /deleted for good/);
    await page.getByRole('status').getByText('Discarded: 51 requests. Left: 0.').waitFor();
    await page.getByText('No request failed.').waitFor();
    expect((await harness.api.get(path)).body).toEqual([]);
  });

  it('does not save what it says of a webhook over the secret that somebody else has added', async () => {
    const secrets = ['a secret of some length'];
    const signature = { scheme: 'github', secrets };
    const webhook = { name: aName(), kind: 'webhook', signature };
    const { id } = (await harness.api.post('/sources', webhook)).body;
    const stored = async (): Promise<unknown[]> =>
      (await harness.api.get(`/sources/${id}`)).body.signature.secrets;
    const page = await harness.open('admin', `/sources/${id}`);
    await page.getByLabel('Requests', { exact: true }).selectOption('track');
    await page.getByLabel('Minutes without an event').fill('90');
    await page.getByRole('button', { name: 'Set the minutes' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await eventually(async () => expect(await page.getByText('Saved.').count()).toBe(2));
    const added = [...secrets, 'another one that is new'];
    await harness.api.put(`/sources/${id}`, { signature: { ...signature, secrets: added } });
    await page.getByLabel('Requests', { exact: true }).selectOption('keep');
    harness.expectComplaint(/412/);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alert').getByText('version_mismatch').waitFor();
    expect(await stored()).toHaveLength(2);
    await page.getByRole('button', { name: 'Load what it is now' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Secrets').inputValue()).toBe('****ngth\n**** new');
  });

  it('renames a source, and says where another one has the name', async () => {
    const [{ id }, other] = [await created(), await created()];
    const page = await harness.open('admin', `/sources/${id}`);
    const form = page.getByRole('form', { name: 'Name and description' });
    const name = aName();
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Description').fill('The shop in Riga');
    await form.getByRole('button').click();
    await form.getByText('Saved.').waitFor();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    expect((await harness.api.get(`/sources/${id}`)).body).toMatchObject({
      name,
      description: 'The shop in Riga',
    });
    harness.expectComplaint(/409|status of 409/);
    await form.getByLabel('Name').fill(other.name);
    await form.getByRole('button').click();
    await form.getByText('Another one has this name.').first().waitFor();
  });

  it('says which member is wrong when the service refuses', async () => {
    const { name } = await created();
    harness.expectComplaint(/409|status of 409/);
    const page = await harness.open('admin', '/sources');
    await page.getByRole('button', { name: 'Create a source' }).click();
    await page.getByLabel('Name').fill(name);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('alert').getByText('Name: Another one has this name.').waitFor();
  });

  it('waits for the first event of a source, turns green, and goes on looking', async () => {
    const { id, writeKey } = await created();
    const page = await harness.open('admin', `/sources/${id}`);
    await page.getByText('Waiting for your first event…').waitFor();
    expect((await send(writeKey, { userId: 'ada', event: 'Order Completed' })).status).toBe(200);
    await page.getByText('Events arrive').waitFor();
    const later = '2031-01-31T12:00:00.000Z';
    await page.route(`**/sources/${id}`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), lastEventAt: later } });
    });
    await page.locator(`time[datetime="${later}"]`).waitFor();
    await page.getByRole('link', { name: 'See its events' }).click();
    await page.getByRole('table', { name: 'Accepted events' }).getByText('Order Completed').waitFor();
  });

  it('counts what is rejected, by code and while somebody looks', async () => {
    const { id, writeKey } = await created();
    const page = await harness.open('reader', `/sources/${id}`);
    await page.getByText('None was rejected.').waitFor();
    expect((await send(writeKey, { userId: 'ada' })).status).toBe(400);
    const row = page.getByRole('table', { name: 'Rejected events by code' }).getByRole('row').nth(1);
    expect(await row.innerText()).toMatch(/missing_event_name\s+A track event needs its name\.\s+event\s+1$/);
  });

  it('sets after how many minutes of silence operators are told', async () => {
    const { id } = await created();
    const minutes = async (): Promise<unknown> =>
      (await harness.api.get(`/sources/${id}`)).body.silentAfterMinutes;
    const page = await harness.open('admin', `/sources/${id}`);
    const save = async (text: string): Promise<void> => {
      await page.getByLabel('Minutes without an event').fill(text);
      await page.getByRole('button', { name: 'Set the minutes' }).click();
      await page.getByText('Saved.').waitFor();
    };
    await save('90');
    expect(await minutes()).toBe(90);
    const reader = await harness.open('reader', `/sources/${id}`);
    await reader.getByText('when it has sent nothing for 90 minutes').waitFor();
    expect(await reader.getByLabel('Minutes without an event').count()).toBe(0);
    await save('');
    expect(await minutes()).toBeNull();
  });

  it('shows the minutes that somebody else has set, as long as nobody writes others', async () => {
    const { id } = await created();
    const page = await harness.open('admin', `/sources/${id}`);
    const field = page.getByLabel('Minutes without an event');
    const shows = (text: string): Promise<void> =>
      eventually(async () => expect(await field.inputValue()).toBe(text));
    await harness.api.put(`/sources/${id}`, { silentAfterMinutes: 45 });
    await shows('45');
    await field.fill('30');
    await page.getByRole('button', { name: 'Set the minutes' }).click();
    await page.getByText('Saved.').waitFor();
    await harness.api.put(`/sources/${id}`, { silentAfterMinutes: 60 });
    await shows('60');
  });

  it('disables, rotates and deletes after saying what will happen', async () => {
    const { id, name, writeKey } = await created();
    const page = await harness.open('admin', `/sources/${id}`);
    await confirm(page, 'Disable', new RegExp(`“${name}” is answered 401`));
    await page.getByText('Disabled').waitFor();
    await confirm(page, 'Enable', /may send events again/);
    await page.getByText('Enabled', { exact: true }).waitFor();
    await confirm(page, 'Rotate the write key', /goes on working for 24 hours/);
    await page.getByText('The key before it works until').waitFor();
    expect((await harness.api.get(`/sources/${id}`)).body.writeKey).not.toBe(writeKey);
    await confirm(page, 'Delete', /stops working at once/);
    await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor();
    expect((await harness.api.get(`/sources/${id}`)).status).toBe(404);
  });

  it('has no button for a reader that would fail', async () => {
    const { name } = await created();
    const page = await harness.open('reader', '/sources');
    expect(await page.getByRole('button', { name: 'Create a source' }).count()).toBe(0);
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    for (const label of ['Disable', 'Rotate the write key', 'Delete'])
      expect(await page.getByRole('button', { name: label }).count()).toBe(0);
  });

  it('tells only who may create a source to do so where there is none', async () => {
    for (const role of ['admin', 'reader'] as const) {
      const page = await harness.open(role, '/audit');
      await page.route('**/sources?*', (route) => route.fulfill({ json: [] }));
      await page.goto(`${harness.url}/console/sources`);
      await page.getByText('No source yet.').waitFor();
      expect(await page.getByText('Create one').count()).toBe(role === 'admin' ? 1 : 0);
      await page.goto(`${harness.url}/console/overview`);
      await page
        .getByText(role === 'admin' ? 'Create a source to take events in' : 'No source yet.')
        .waitFor();
    }
  });

  it('shows a script in a name as the text that it is', async () => {
    const { id, writeKey } = await created(SCRIPT);
    expect((await send(writeKey, { userId: 'u', event: SCRIPT })).status).toBe(200);
    const page = await harness.open('admin', '/sources');
    await page.getByRole('link', { name: SCRIPT }).click();
    await page.getByRole('heading', { name: SCRIPT, level: 1 }).waitFor();
    expect(await page.title()).toBe(`${SCRIPT} · Console`);
    harness.deleteAfterwards(`/sources/${id}`);
  });

  it('says why a source cannot be shown', async () => {
    harness.expectComplaint(/404/);
    const page = await harness.open('admin', '/sources');
    await page.goto(`${harness.url}/console/sources/${randomUUID()}`);
    await page.getByRole('alert').getByText('source_not_found').waitFor();
    await page.getByRole('heading', { name: 'Source', level: 1, exact: true }).waitFor();
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const { id, writeKey } = await created();
    const page = await harness.open('admin', '/sources', options);
    await page.getByRole('table', { name: 'Sources' }).waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    await page.goto(`${harness.url}/console/sources/${id}`);
    await page.getByText('Waiting for your first event…').waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    await send(writeKey, { userId: 'ada', event: 'Order Completed' });
    await page.getByText('Events arrive').waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('stops working at once').waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
  });
}
