import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../../test/support/eventually';
import { isSignedWith, Receiver } from '../../../test/support/receiver';
import { CLIENT_A, MUTUAL_RECEIVER, PRIVATE_CA } from '../../../test/support/tls-files';
import type { ConsoleHarness } from '../harness';
import { confirm, isFocused, markedFields, SCRIPT, section, table } from '../parts';
import { type Destination, Shop } from '../shop';

export default function destinationsTests(harness: ConsoleHarness): void {
  let shop: Shop;
  beforeAll(async () => (shop = await Shop.open(harness)));
  afterAll(() => shop.close());

  /** Takes events of the source of these tests alone. */
  const aDestination = (path = '', members: object = {}): Promise<Destination> =>
    shop.aDestination(path, { sources: [shop.source.id], ...members });

  const asJson = (page: Page): Promise<void> => page.getByText('JSON', { exact: true }).click();

  const deliveriesOf = async ({ id }: Destination, state: string, count: number): Promise<{ id: string }[]> =>
    eventually(async () => {
      const { body } = await harness.api.get(`/destinations/${id}/deliveries?state=${state}`);
      expect(body).toHaveLength(count);
      return body;
    });

  it('creates nothing while it is not known whose events and which code there are to choose', async () => {
    const page = await harness.open('admin', '/destinations');
    for (const listing of ['sources', 'transformations'])
      await page.route(`**/${listing}?*`, (route) => route.fulfill({ status: 403, json: { code: listing } }));
    harness.expectComplaint(/403/);
    await page.getByRole('link', { name: 'Create a destination' }).click();
    await page.getByLabel('Name').fill(`Orders ${randomUUID()}`);
    const create = page.getByRole('button', { name: 'Create', exact: true });
    for (const listing of ['sources', 'transformations']) {
      expect(await create.isDisabled()).toBe(true);
      await page.getByRole('alert').filter({ hasText: listing }).waitFor();
      await page.unroute(`**/${listing}?*`);
      await page.getByRole('button', { name: 'Try again' }).first().click();
      await page.getByRole('alert').filter({ hasText: listing }).waitFor({ state: 'detached' });
    }
    await page.getByLabel(shop.source.name).waitFor();
    await page.getByLabel('Transformation').waitFor();
    expect(await create.isEnabled()).toBe(true);
  });

  it('has all sources to choose from, however many pages of them there are', async () => {
    const page = await harness.open('admin', '/destinations');
    await page.route('**/sources?*', (route) =>
      new URL(route.request().url()).searchParams.has('cursor')
        ? route.fulfill({ json: [shop.source] })
        : route.fulfill({ json: [], headers: { link: '</sources?cursor=more>; rel="next"' } }),
    );
    await page.getByRole('link', { name: 'Create a destination' }).click();
    await page.getByLabel(shop.source.name).waitFor();
  });

  it('creates a destination with the fields of its connector, and tells its secret once', async () => {
    const page = await harness.open('admin', '/destinations');
    await page.getByRole('link', { name: 'Create a destination' }).click();
    const name = `Orders ${randomUUID()}`;
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Type', { exact: true }).selectOption('S3 export');
    await page.getByLabel('Bucket').waitFor();
    expect(await page.getByLabel('Force path style').isChecked()).toBe(false);
    expect(await page.getByLabel('Secret access key').first().getAttribute('type')).toBe('password');
    await page.getByLabel('Format', { exact: true }).selectOption('parquet');
    await page.getByLabel('Type', { exact: true }).selectOption('Webhook');
    await page.getByLabel('URL').fill(`${shop.receiver.url}/created`);
    await page.getByText('sha256=<hex>', { exact: true }).waitFor();
    expect(await page.getByText('`').count()).toBe(0);
    await page.getByLabel(shop.source.name).check();
    await asJson(page);
    await page.getByLabel('Filter as JSON').fill('{"events": ["Order *"');
    expect(await page.getByRole('button', { name: 'Create', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('Filter as JSON').fill('{"events": ["Order *"]}');
    await page.getByLabel('A person is deleted').check();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: `Created: ${name}` }).waitFor();
    const secret = await page.getByTestId('secret').innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('link', { name: 'Go on to the destination' }).click();
    await page.getByRole('heading', { name, level: 1 }).waitFor();
    await section(page, 'What it gets').getByText('It is told: a person is deleted.').waitFor();
    await shop.send({ userId: 'ada', event: 'Cart Viewed' });
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    const received = await eventually(() => {
      const [first] = shop.receiver.received.filter(({ path }) => path === '/created');
      if (first === undefined) throw new Error('Nothing has come.');
      return first;
    });
    expect(isSignedWith(secret, received)).toBe(true);
    expect(received.body).toContain('Order Completed');
    expect(await page.content()).not.toContain(secret);
  });

  it('makes numbers, choices and switches of what a connector asks for', async () => {
    harness.expectComplaint(/400/);
    const page = await harness.open('admin', '/destinations/new');
    await page.getByLabel('Name').fill(`Bucket ${randomUUID()}`);
    await page.getByLabel('Type', { exact: true }).selectOption('S3 export');
    await page.getByLabel('Bucket').fill('events');
    await page.getByLabel('Max events').fill('0');
    await page.getByLabel('Force path style').check();
    await page.getByLabel('Format', { exact: true }).selectOption('parquet');
    const request = page.waitForRequest((one) => one.method() === 'POST');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    expect(JSON.parse((await request).postData() ?? '')).toMatchObject({
      type: 's3-export',
      config: { bucket: 'events', maxEvents: 0, forcePathStyle: true, format: 'parquet' },
      sources: null,
    });
    await page.getByRole('alert').getByText('Max events:', { exact: true }).waitFor();
    await isFocused(page.getByLabel('Max events'));
  });

  it('marks each field that the service finds wrong, and comes to the first of them', async () => {
    harness.expectComplaint(/40[09]/);
    const { name } = await aDestination();
    const page = await harness.open('admin', '/destinations/new');
    const create = async (...places: string[]): Promise<void> => {
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      for (const place of places)
        await page.getByRole('alert').getByText(`${place}:`, { exact: true }).waitFor();
    };
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('URL').fill('ftp://x');
    await page.getByRole('button', { name: 'Add to headers' }).click();
    await page.getByLabel('Headers 1: what it is called').fill('Host');
    await page.getByLabel('Headers 1: value').first().fill('example.com');
    await page.getByLabel('Kind of auth').selectOption('apiKey');
    await page.getByRole('textbox', { name: 'Header', exact: true }).fill('Content-Type');
    await page.getByLabel(/^Value/).fill('a-key-of-the-receiver');
    await page.getByRole('group', { name: 'TLS' }).getByLabel('CA', { exact: true }).fill('no PEM');
    await asJson(page);
    await page.getByLabel('Filter as JSON').fill('{"evnts": 1}');
    await page.getByLabel('Rate limit').fill('0.01');
    await page.getByLabel('Order', { exact: true }).selectOption('pass');
    await page.getByLabel('Waits at most').fill('0');
    await create('Rate limit', 'Waits at most');
    expect(await markedFields(page)).toEqual(['Rate limit', 'Waits at most']);
    await isFocused(page.getByLabel('Rate limit'));
    await page.getByLabel('Rate limit').fill('5');
    await page.getByLabel('Waits at most').fill('60');
    await create('URL', 'Headers, Host', 'Auth, Header', 'TLS, CA', 'Filter, evnts');
    expect(await markedFields(page)).toEqual([
      'URL',
      'Headers 1: what it is called',
      'Header',
      'CA',
      'Filter as JSON',
    ]);
    await isFocused(page.getByLabel('URL'));
    await page.getByText(/^evnts: Is none of types/).waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    await page.getByLabel('URL').fill(`${shop.receiver.url}/marked`);
    await page.getByRole('button', { name: 'Remove Headers 1' }).click();
    await page.getByLabel('Kind of auth').selectOption('None');
    await page.getByRole('group', { name: 'TLS' }).getByLabel('CA', { exact: true }).fill('');
    await page.getByLabel('Filter as JSON').fill('');
    await create('Name');
    expect(await markedFields(page)).toEqual(['Name']);
    await isFocused(page.getByLabel('Name'));
  });

  it('marks a group of fields that is wrong as a whole, and comes to its first field', async () => {
    harness.expectComplaint(/400/);
    const page = await harness.open('admin', '/destinations/new');
    await page.getByLabel('Name').fill(`Parts ${randomUUID()}`);
    await page.getByLabel('URL').fill(`${shop.receiver.url}/people/{userId}`);
    const batch = page.getByRole('group', { name: 'Batch' });
    await batch.getByLabel('Flush seconds').fill('60');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await batch.getByText(/not for an address with fields/).waitFor();
    await isFocused(batch.getByLabel('Max events'));
  });

  it('sends no two headers of one name', async () => {
    const page = await harness.open('admin', '/destinations/new');
    const name = `Twice ${randomUUID()}`;
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('URL').fill(`${shop.receiver.url}/twice`);
    for (const place of [1, 2]) {
      await page.getByRole('button', { name: 'Add to headers' }).click();
      await page.getByLabel(`Headers ${place}: what it is called`).fill('X-Key');
      await page.getByLabel(`Headers ${place}: value`).first().fill(`key ${place}`);
    }
    await page.getByText('There is another one of this name.').first().waitFor();
    const isRefused = '!document.querySelector("form").checkValidity()';
    expect(await page.evaluate(isRefused)).toBe(true);
    await page.getByLabel('Headers 2: what it is called').fill('X-Other-Key');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: `Created: ${name}` }).waitFor();
  });

  it('takes a secret away that is emptied', async () => {
    const config = {
      bucket: 'events',
      region: 'eu-central-1',
      accessKeyId: 'AKIA1',
      secretAccessKey: 's'.repeat(40),
    };
    const { body } = await harness.api.post('/destinations', {
      name: `Keys ${randomUUID()}`,
      type: 's3-export',
      config,
      enabled: false,
    });
    const page = await harness.open('admin', `/destinations/${body.id}/settings`);
    const settings = page.getByRole('form', { name: 'Settings' });
    expect(await settings.getByLabel('Secret access key').first().inputValue()).toBe('****ssss');
    await settings.getByLabel('Secret access key').first().fill('');
    await settings.getByLabel('Access key id').fill('');
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Saved.').waitFor();
    const changed = (await harness.api.get(`/destinations/${body.id}`)).body.config;
    expect(changed).toMatchObject({ bucket: 'events', region: 'eu-central-1' });
    expect(Object.keys(changed)).not.toEqual(expect.arrayContaining([expect.stringMatching(/[kK]ey/)]));
  });

  it('sets headers and credentials of a webhook, shows them masked, and changes one of them', async () => {
    const page = await harness.open('admin', '/destinations/new');
    const name = `Gateway ${randomUUID()}`;
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('URL').fill(`${shop.receiver.url}/gateway`);
    await page.getByLabel('Method').selectOption('PUT');
    await page.getByRole('button', { name: 'Add to headers' }).click();
    await page.getByLabel('Headers 1: what it is called').fill('X-Gateway-Key');
    await page.getByLabel('Headers 1: value').first().fill('a-key-of-the-gateway-1111');
    await page.getByRole('button', { name: 'Add to headers' }).click();
    await page.getByLabel('Headers 2: what it is called').fill('X-Gone');
    await page.getByLabel('Headers 2: value').first().fill('gone');
    await page.getByLabel('Kind of auth').selectOption('basic');
    await page.getByLabel('Username').fill('ada');
    await page.getByLabel(/^Password/).fill('a-password-of-ada-2222');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('link', { name: 'Go on to the destination' }).click();
    await page.getByRole('link', { name: 'Settings' }).last().click();
    const settings = page.getByRole('form', { name: 'Settings' });
    expect(await settings.getByLabel('Headers 1: value').first().inputValue()).toBe('****1111');
    expect(await settings.getByLabel(/^Password/).inputValue()).toBe('****2222');
    await settings.getByRole('button', { name: 'Remove Headers 2' }).click();
    await settings.getByLabel('Username').fill('bob');
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Saved.').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-2);
    await harness.api.post(`/destinations/${id}/test`);
    const request = shop.receiver.received.find(({ path }) => path === '/gateway');
    expect(request).toMatchObject({
      method: 'PUT',
      headers: {
        'x-gateway-key': 'a-key-of-the-gateway-1111',
        authorization: `Basic ${Buffer.from('bob:a-password-of-ada-2222').toString('base64')}`,
      },
    });
    expect(request?.headers).not.toHaveProperty('x-gone');
  });

  it('sets the certificates of a webhook line by line, and shows its key masked', async () => {
    const receiver = await Receiver.start(0, MUTUAL_RECEIVER);
    try {
      const page = await harness.open('admin', '/destinations/new');
      await page.getByLabel('Name').fill(`Mutual ${randomUUID()}`);
      await page.getByLabel('URL').fill(`${receiver.url}/mutual`);
      const tls = page.getByRole('group', { name: 'TLS' });
      await tls.getByLabel('CA', { exact: true }).fill(PRIVATE_CA);
      await tls.getByLabel('Cert', { exact: true }).fill(CLIENT_A.cert);
      await tls.getByLabel('Key', { exact: true }).fill(CLIENT_A.key);
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await page.getByRole('link', { name: 'Go on to the destination' }).click();
      await page.getByRole('link', { name: 'Settings' }).last().click();
      const settings = page.getByRole('form', { name: 'Settings' });
      expect(await settings.getByLabel('Key', { exact: true }).inputValue()).toBe('****----');
      await settings.getByLabel('Method').selectOption('PUT');
      await settings.getByRole('button', { name: 'Save' }).click();
      await settings.getByText('Saved.').waitFor();
      const id = new URL(page.url()).pathname.split('/').at(-2);
      await harness.api.post(`/destinations/${id}/test`);
      expect(receiver.received).toMatchObject([{ path: '/mutual', method: 'PUT', client: 'client-a' }]);
    } finally {
      await receiver.stop();
    }
  });

  it('sets the envelope and the batches of a webhook, and sends one by one again', async () => {
    const page = await harness.open('admin', '/destinations/new');
    await page.getByLabel('Name').fill(`Batches ${randomUUID()}`);
    await page.getByLabel('URL').fill(`${shop.receiver.url}/batches`);
    await page.getByLabel(shop.source.name).check();
    await page.getByLabel('Envelope').selectOption('cloudevents');
    const batch = page.getByRole('group', { name: 'Batch' });
    await batch.getByLabel('Max events').fill('2');
    await batch.getByLabel('Flush seconds').fill('60');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('link', { name: 'Go on to the destination' }).click();
    await page.getByRole('link', { name: 'Settings' }).last().click();
    const settings = page.getByRole('form', { name: 'Settings' });
    expect(await settings.getByLabel('Envelope').inputValue()).toBe('cloudevents');
    expect(await settings.getByLabel('Max events').inputValue()).toBe('2');
    const bodies = (): unknown[] =>
      shop.receiver.received
        .filter(({ path }) => path === '/batches')
        .map(({ body }) => JSON.parse(body) as unknown);
    const sent = ['Cart Viewed', 'Order Completed'];
    for (const event of sent) await shop.send({ userId: 'ada', event });
    const cloudEvent = (event: string): unknown =>
      expect.objectContaining({ specversion: '1.0', data: expect.objectContaining({ event }) });
    await eventually(() => expect(bodies()).toEqual([expect.arrayContaining(sent.map(cloudEvent))]));
    await settings.getByLabel('Envelope').selectOption('event');
    await settings.getByLabel('Max events').fill('');
    await settings.getByLabel('Flush seconds').fill('');
    await settings.getByRole('button', { name: 'Save' }).click();
    await settings.getByText('Saved.').waitFor();
    await shop.send({ userId: 'ada', event: 'Alone' });
    await eventually(() => expect(bodies().slice(1)).toMatchObject([{ event: 'Alone' }]));
    const id = new URL(page.url()).pathname.split('/').at(-2);
    harness.deleteAfterwards(`/destinations/${id}`);
  });

  it('says how each destination is doing, and why', async () => {
    const paused = await aDestination();
    await harness.api.post(`/destinations/${paused.id}/pause`);
    const page = await harness.open('reader', '/destinations');
    const row = table(page, 'Destinations').getByRole('row').filter({ hasText: paused.name });
    await row.getByText('Paused').waitFor();
    await row.getByRole('link').click();
    await section(page, 'Health').getByText('Paused').waitFor();
    await section(page, 'Health').getByText('by an operator', { exact: true }).waitFor();
    await section(page, 'Health').getByRole('link', { name: '0 dead letters' }).waitFor();
    await section(page, 'What it gets').getByText(`Events of ${shop.source.name}.`).waitFor();
  });

  it('tests, pauses, resumes, rotates and deletes after saying what will happen', async () => {
    const { id, name } = await aDestination();
    const page = await harness.open('admin', `/destinations/${id}`);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Delivered', { exact: true }).waitFor();
    await dialog.getByText('Answered 200.').waitFor();
    await dialog.getByText('taken').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
    await confirm(page, 'Pause', new RegExp(`Nothing is sent to “${name}”`));
    await section(page, 'Health').getByText('Paused').waitFor();
    await confirm(page, 'Resume', /is sent what was kept for it/);
    await section(page, 'Health').getByText('Healthy').waitFor();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await dialog.getByText('signed with a new secret').waitFor();
    await dialog.getByRole('button', { name: 'Rotate the secret' }).click();
    const secret = await dialog.getByTestId('secret').innerText();
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
    expect(await dialog.getByTestId('secret').innerText()).toBe(secret);
    await dialog.getByRole('button', { name: 'I have copied it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(secret);
    await confirm(page, 'Delete', new RegExp(`“${name}” is deleted`));
    await page.getByRole('heading', { name: 'Destinations', level: 1 }).waitFor();
    expect((await harness.api.get(`/destinations/${id}`)).status).toBe(404);
  });

  it('keeps a dialog open while something runs of which the answer would be lost', async () => {
    const { id } = await aDestination();
    const page = await harness.open('admin', `/destinations/${id}`);
    const dialog = page.getByRole('dialog');
    for (const [label, path] of [
      ['Rotate the secret', 'rotate-secret'],
      ['Pause', 'pause'],
      ['Test', 'test'],
    ] as const) {
      const held: (() => Promise<void>)[] = [];
      await page.route(`**/destinations/${id}/${path}`, (route) => void held.push(() => route.continue()));
      await page.getByRole('button', { name: label, exact: true }).click();
      if (label !== 'Test') await dialog.getByRole('button', { name: label, exact: true }).click();
      await eventually(() => expect(held).toHaveLength(1));
      // The request can leave before the page is drawn again.
      await eventually(async () =>
        expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true),
      );
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true);
      if (label !== 'Test')
        expect(await dialog.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
      await held[0]?.();
      if (label === 'Rotate the secret') {
        await dialog.getByTestId('secret').waitFor();
        await dialog.getByRole('button', { name: 'I have copied it' }).click();
      }
      if (label === 'Test') await dialog.getByText('Delivered', { exact: true }).waitFor();
      else await dialog.waitFor({ state: 'detached' });
    }
  });

  it('keeps the text of a member as it is written that is a list or an object', async () => {
    const schema = { properties: { url: { type: 'string' }, headers: { type: 'object' } } };
    const page = await harness.open('admin', '/destinations');
    await page.route('**/connectors', (route) =>
      route.fulfill({ json: [{ id: 'webhook', name: 'Webhook', configSchema: schema, secretFields: [] }] }),
    );
    await page.goto(`${harness.url}/console/destinations/new`);
    await page.getByLabel('Name').fill(`With headers ${randomUUID()}`);
    const text = '{ "X-Shop": "a",\n  "X-Other": "b" }';
    await page.getByLabel('Headers').pressSequentially(text);
    expect(await page.getByLabel('Headers').inputValue()).toBe(text);
    const request = page.waitForRequest((one) => one.method() === 'POST');
    harness.expectComplaint(/400/);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    expect(JSON.parse((await request).postData() ?? '')).toMatchObject({
      config: { headers: { 'X-Shop': 'a', 'X-Other': 'b' } },
    });
  });

  it('says why a test failed', async () => {
    const { id } = await aDestination('/bad');
    const page = await harness.open('admin', `/destinations/${id}`);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByRole('dialog').getByText('the receiver failed – http_5xx').waitFor();
    await page.getByRole('dialog').getByText('no room').waitFor();
  });

  it('shows which of the newest events a filter lets pass, and saves it', async () => {
    const { id } = await aDestination();
    await shop.send({ userId: 'ada', event: 'Filtered Out' });
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    const page = await harness.open('admin', `/destinations/${id}`);
    await page.getByRole('link', { name: 'Settings' }).last().click();
    await asJson(page);
    const filter = page.getByLabel('Filter as JSON');
    await filter.fill('{"events": ["Order *"');
    await page.getByText('This is no JSON object.').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await filter.fill('{"events": ["Order *"]}');
    await page.getByRole('button', { name: 'Try it on the newest events' }).click();
    await page.getByText(/of the newest \d+ events would pass/).waitFor();
    const rows = table(page, 'Previewed events').getByRole('row');
    await rows.filter({ hasText: 'Filtered Out' }).first().getByText('Does not').waitFor();
    await rows.filter({ hasText: 'Order Completed' }).first().getByText('Passes').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await filter.fill('{"events": ["Order *"]} ');
    expect(await page.getByText('Saved.').count()).toBe(0);
    expect(await page.getByText(/events would pass/).count()).toBe(0);
    await page.getByRole('link', { name: 'Overview' }).last().click();
    await section(page, 'What it gets').getByText('as far as they pass its filter').waitFor();
    expect((await harness.api.get(`/destinations/${id}`)).body.filter).toEqual({ events: ['Order *'] });
  });

  it('changes everything of a destination, and keeps its secret', async () => {
    const destination = await aDestination('', { mapping: { drop: ['context'] } });
    const page = await harness.open('admin', `/destinations/${destination.id}/settings`);
    const name = `Changed ${randomUUID()}`;
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('URL').fill(`${shop.receiver.url}/changed`);
    await page.getByLabel(shop.source.name).uncheck();
    await page.getByLabel('A source is silent').check();
    await page.getByLabel('Rate limit').fill('12.5');
    await page.getByLabel('Order', { exact: true }).selectOption('dead_letter');
    await page.getByLabel('Waits at most').fill('60');
    await page
      .getByLabel('Mapping as JSON')
      .fill('{"constant": [{"path": "properties.by", "value": "console"}]}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('heading', { name: `${name}: settings` }).waitFor();
    const { body } = await harness.api.get(`/destinations/${destination.id}`);
    expect(body).toMatchObject({
      name,
      config: { url: `${shop.receiver.url}/changed` },
      sources: null,
      notices: ['source_silent'],
      rateLimit: { perSecond: 12.5 },
      order: { by: 'person', maxWaitSeconds: 60, maxWaiting: 1_000, afterwards: 'dead_letter' },
      mapping: { constant: [{ path: 'properties.by', value: 'console' }] },
      filter: null,
    });
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    const delivery = await eventually(() => {
      const [first] = shop.receiver.received.filter(({ path }) => path === '/changed');
      expect(first).toBeDefined();
      return Promise.resolve(first!);
    });
    expect(JSON.parse(delivery.body)).toMatchObject({ properties: { by: 'console' } });
    expect(isSignedWith(destination.config.secret, delivery)).toBe(true);
    await page.getByLabel('Rate limit').fill('');
    await page.getByLabel('Order', { exact: true }).selectOption('none');
    await page.getByLabel('Mapping as JSON').fill('');
    await page.getByLabel('A source is silent').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => {
      const after = await harness.api.get(`/destinations/${destination.id}`);
      expect(after.body).toMatchObject({ rateLimit: null, order: null, mapping: null, notices: [] });
    });
    harness.deleteAfterwards(`/destinations/${destination.id}`);
  });

  it('narrows what is told of computed traits to some of them', async () => {
    const name = `told_${randomUUID().replaceAll('-', '')}`;
    const counted = { event: 'Order Completed', aggregate: 'count', within: '30d' };
    const { body: trait } = await harness.api.post('/computed-traits', { name, ...counted });
    const { id } = await aDestination();
    const page = await harness.open('admin', `/destinations/${id}/settings`);
    expect(await page.getByRole('group', { name: 'Computed traits' }).count()).toBe(0);
    await page.getByLabel('A computed trait of somebody changes').check();
    await page.getByRole('group', { name: 'Computed traits' }).getByLabel(name).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const stored = async (): Promise<object> => (await harness.api.get(`/destinations/${id}`)).body;
    expect(await stored()).toMatchObject({ notices: ['trait_changed'], noticeTraits: [name] });
    await page.goto(`${harness.url}/console/destinations/${id}`);
    await page.getByText(`Computed traits: ${name}.`).waitFor();
    await page.goto(`${harness.url}/console/destinations/${id}/settings`);
    expect(await page.getByRole('group', { name: 'Computed traits' }).getByLabel(name).isChecked()).toBe(
      true,
    );
    await page.getByLabel('A computed trait of somebody changes').uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await stored()).toMatchObject({ notices: [], noticeTraits: null });
    harness.deleteAfterwards(`/destinations/${id}`);
    harness.deleteAfterwards(`/computed-traits/${trait.id}`);
  });

  it('does not save over the change of somebody else', async () => {
    harness.expectComplaint(/412/);
    const { id } = await aDestination();
    const page = await harness.open('admin', `/destinations/${id}/settings`);
    await page.getByLabel('Rate limit').fill('5');
    await harness.api.put(`/destinations/${id}`, { notices: ['delete'] });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('version_mismatch').waitFor();
    expect((await harness.api.get(`/destinations/${id}`)).body).toMatchObject({ rateLimit: null });
    await page.getByRole('button', { name: 'Load what it is now' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    expect(await page.getByLabel('A person is deleted').isChecked()).toBe(true);
    expect(await page.getByLabel('Rate limit').inputValue()).toBe('');
    await page.getByLabel('Rate limit').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect((await harness.api.get(`/destinations/${id}`)).body).toMatchObject({
      rateLimit: { perSecond: 5 },
      notices: ['delete'],
    });
  });

  it('says which part of a filter the service refuses', async () => {
    harness.expectComplaint(/400/);
    const { id } = await aDestination();
    const page = await harness.open('admin', `/destinations/${id}/settings`);
    await asJson(page);
    await page.getByLabel('Filter as JSON').fill('{"types": ["nonsense"]}');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Filter, types[0]:', { exact: true }).waitFor();
    await page.getByText(/^types\[0\]: Must be one of/).waitFor();
    await page.getByText('Builder', { exact: true }).click();
    await page.getByText('The builder cannot show this.').waitFor();
    expect(await page.getByLabel('Filter as JSON').inputValue()).toContain('nonsense');
  });

  it('builds a filter part by part, and reads it again', async () => {
    harness.expectComplaint(/400/);
    const { id } = await aDestination();
    const segment = await harness.api.post('/segments', { name: `Buyers ${randomUUID()}`, rules: [] });
    const trait = await harness.api.post('/computed-traits', {
      name: `paid_${randomUUID().slice(0, 8)}`,
      event: 'Order Completed',
      aggregate: 'count',
      within: '30d',
    });
    const page = await harness.open('admin', `/destinations/${id}/settings`);
    const save = page.getByRole('button', { name: 'Save' });
    for (const type of ['identify', 'page', 'screen', 'group', 'alias'])
      await page.getByLabel(type, { exact: true }).uncheck();
    const names = page.getByRole('combobox', { name: 'Events', exact: true });
    await names.fill('Order *');
    await names.press('Enter');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Missing').getByText('Condition 1, Path in the event', { exact: true }).waitFor();
    expect(await save.isDisabled()).toBe(true);
    const condition = (number: number): Locator => page.getByRole('group', { name: `Condition ${number}` });
    await condition(1).getByLabel('Path in the event').fill('properties.plan');
    await condition(1).getByLabel('Operator').selectOption('is one of');
    await condition(1).getByLabel('Value 1', { exact: true }).fill('pro');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await condition(2).getByLabel('Path in the event').fill(`computed.${trait.body.name}`);
    await condition(2).getByLabel('Operator').selectOption('is at least');
    await condition(2).getByLabel('Value', { exact: true }).fill('3');
    await page.getByLabel('Which conditions').selectOption('any of these must hold');
    await page.getByLabel(segment.body.name).check();
    await save.click();
    await page.getByText('Saved.').waitFor();
    expect((await harness.api.get(`/destinations/${id}`)).body.filter).toEqual({
      types: ['track'],
      events: ['Order *'],
      match: 'any',
      conditions: [
        { field: 'properties.plan', operator: 'in', value: ['pro'] },
        { field: `computed.${trait.body.name}`, operator: 'gte', value: 3 },
      ],
      segments: [segment.body.id],
    });
    expect(await harness.seriousViolations(page)).toEqual([]);

    await page.reload();
    await condition(2).getByLabel('Path in the event').fill('computed.else');
    await save.click();
    await page
      .getByRole('alert')
      .getByText('Filter, Condition 2, Path in the event:', { exact: true })
      .waitFor();
    expect(await markedFields(page)).toEqual(['Path in the event']);
    await page.getByRole('button', { name: 'Remove condition 2' }).click();
    await page.getByRole('button', { name: 'Remove condition 1' }).click();
    for (const type of ['identify', 'page', 'screen', 'group', 'alias'])
      await page.getByLabel(type, { exact: true }).check();
    await names.press('Backspace');
    await page.getByLabel(segment.body.name).uncheck();
    await save.click();
    await page.getByText('Saved.').waitFor();
    expect((await harness.api.get(`/destinations/${id}`)).body.filter).toBeNull();
  });

  it('lists deliveries, and shows one with each try and the request as it was sent', async () => {
    const bad = await aDestination('/bad', { mapping: { drop: ['context'] } });
    await shop.send({ userId: 'ada', event: 'Order Completed', properties: { total: 12.5 } });
    const [dead] = await deliveriesOf(bad, 'dead', 1);
    await harness.api.post(`/deliveries/${dead!.id}/retry`);
    await eventually(async () => {
      const { body } = await harness.api.get(`/deliveries/${dead!.id}`);
      expect(body).toMatchObject({ state: 'dead', attempts: 4 });
    });
    const page = await harness.open('reader', `/destinations/${bad.id}`);
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByLabel('State').selectOption('dead');
    await page.getByLabel('Type').selectOption('track');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/state=dead&type=track/);
    await table(page, 'Deliveries').getByText('the receiver failed').waitFor();
    await table(page, 'Deliveries').getByRole('link', { name: 'Order Completed' }).click();
    await page.getByRole('heading', { name: 'Delivery of Order Completed' }).waitFor();
    await page.getByText(/after 4 tries: the receiver failed/).waitFor();
    expect(await table(page, 'Tries').innerText()).toMatch(/4\s[^]*500[^]*ms[^]*no room[^]*3\s[^]*500/);
    expect(await table(page, 'Tries').getByRole('row').count()).toBe(4);
    await page.getByRole('button', { name: 'Show more (1)' }).click();
    expect(await table(page, 'Tries').getByRole('row').last().innerText()).toMatch(/^1\s/);
    const request = await section(page, 'Request').innerText();
    expect(request).toContain(`${shop.receiver.url}/bad`);
    expect(request).toMatch(/X-Service-Signature\s+sha256=\*\*\*\*/);
    const body = await page.getByRole('region', { name: 'the body', exact: true }).innerText();
    expect(body).toBe(shop.receiver.received.find(({ id }) => id === dead!.id)?.body);
    await page.getByRole('link', { name: 'The event and its way' }).click();
    const told = page.getByRole('article', { name: bad.name });
    await told.getByRole('link', { name: 'The delivery, and what is sent' }).click();
    await page.getByRole('heading', { name: 'Delivery of Order Completed' }).waitFor();
  });

  it('tries one delivery again, and discards one', async () => {
    const destination = await aDestination('/bad');
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    const [{ id } = { id: '' }] = await deliveriesOf(destination, 'dead', 1);
    const path = `/destinations/${destination.id}/deliveries/${id}`;
    const page = await harness.open('admin', path);
    await confirm(page, 'Discard it', /cancelled for good/);
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await shop.send({ userId: 'ada', event: 'Cart Viewed' });
    const [{ id: second } = { id: '' }] = await deliveriesOf(destination, 'dead', 1);
    await harness.api.put(`/destinations/${destination.id}`, { config: { url: shop.receiver.url } });
    await page.goto(`${harness.url}/console/destinations/${destination.id}/deliveries/${second}`);
    await confirm(page, 'Replay it', /with its old id/);
    await page.getByText('Delivered', { exact: true }).waitFor();
    const { body: done } = await harness.api.get(`/audit?resource=delivery&resourceId=${second}`);
    expect(done).toMatchObject([{ action: 'replay' }]);
  });

  it('retries all that is pending after saying what will happen, where something is', async () => {
    const destination = await aDestination('/later');
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    await shop.send({ userId: 'ada', event: 'Cart Viewed' });
    const retry = 'Retry pending deliveries';
    await eventually(async () => {
      const waiting = await deliveriesOf(destination, 'pending', 2);
      for (const delivery of waiting) expect(delivery).toMatchObject({ attempts: 1 });
    });
    const reader = await harness.open('reader', `/destinations/${destination.id}`);
    await section(reader, 'Health').getByRole('link', { name: '2 pending' }).waitFor();
    expect(await reader.getByRole('button', { name: retry }).count()).toBe(0);
    const page = await harness.open('admin', `/destinations/${destination.id}`);
    await harness.api.put(`/destinations/${destination.id}`, { config: { url: shop.receiver.url } });
    await confirm(page, retry, new RegExp(`All deliveries to “${destination.name}” that wait`));
    await page.getByText('Due now: 2 deliveries.').waitFor();
    await deliveriesOf(destination, 'delivered', 2);
    await section(page, 'Health').getByRole('link', { name: '0 pending' }).waitFor();
    await page.getByRole('button', { name: retry }).waitFor({ state: 'detached' });
  });

  it('sends dead letters again, with the progress, and discards others', async () => {
    const destination = await aDestination('/bad');
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    await shop.send({ userId: 'ada', event: 'Cart Viewed' });
    await deliveriesOf(destination, 'dead', 2);
    const page = await harness.open('admin', `/destinations/${destination.id}/dead-letters?reason=timeout`);
    await page.getByText('No dead letter.').waitFor();
    expect(await page.getByRole('button', { name: 'Discard them' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    const letter = table(page, 'Dead letters').getByRole('row').filter({ hasText: 'Cart Viewed' });
    await letter.getByText('no room', { exact: true }).waitFor();
    expect(await letter.innerText()).toMatch(/http_5xx[^]*500\s+no room/);
    await harness.api.put(`/destinations/${destination.id}`, { config: { url: shop.receiver.url } });
    await confirm(page, 'Replay them', `all dead letters of “${destination.name}”, without a filter (2).`);
    const replay = table(page, 'Replays').getByRole('row').nth(1);
    await replay.getByText('Done').waitFor();
    expect(await replay.innerText()).toContain('2 of 2 looked at');
    await deliveriesOf(destination, 'delivered', 2);

    await harness.api.put(`/destinations/${destination.id}`, { config: { url: `${shop.receiver.url}/bad` } });
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    await deliveriesOf(destination, 'dead', 1);
    await page.goto(`${harness.url}/console/destinations/${destination.id}/dead-letters`);
    await page.route(`**/destinations/${destination.id}/stats`, async (route) => {
      const stats = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...stats, deadLetters: 100_000, countedUpTo: 100_000 } });
    });
    await page.reload();
    await confirm(
      page,
      'Discard them',
      /cancelled for good: all dead letters of .*, without a filter \(100,000 or more\)/,
    );
    await page.getByText('No dead letter.').waitFor();
    await deliveriesOf(destination, 'cancelled', 1);
  });

  it('discards the dead letters with a reason, once somebody has searched for it', async () => {
    const destination = await aDestination('/bad');
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    const [{ id } = { id: '' }] = await deliveriesOf(destination, 'dead', 1);
    const { updatedAt } = (await harness.api.get(`/deliveries/${id}`)).body;
    const page = await harness.open('admin', `/destinations/${destination.id}/dead-letters`);
    const letter = table(page, 'Dead letters').getByRole('row').nth(1);
    await letter.locator(`[data-label="Dead since"] [datetime="${updatedAt}"]`).waitFor();
    const discard = page.getByRole('button', { name: 'Discard them' });
    await discard.waitFor();
    const suggested = page.getByRole('search').locator('datalist option');
    const reasons = await suggested.evaluateAll((options: readonly { value: string }[]) =>
      options.map(({ value }) => value),
    );
    expect(reasons[0]).toBe('http_5xx');
    expect(reasons).toEqual([...new Set(reasons)]);
    expect(reasons).toEqual(expect.arrayContaining(['expired', 'timeout', 'unauthorized']));
    await page.getByLabel('Reason').fill('timeout');
    await page.getByText('The filters were changed').waitFor();
    expect(await discard.isEnabled()).toBe(false);
    expect(await page.getByRole('button', { name: 'Replay them' }).isEnabled()).toBe(false);
    await page.getByLabel('Reason').fill('');
    await page.getByText('The filters were changed').waitFor({ state: 'detached' });
    expect(await discard.isEnabled()).toBe(true);
    await page.getByLabel('Reason').fill('http_5xx');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.waitForURL(/reason=http_5xx/);
    const which = `all dead letters of “${destination.name}” where Reason is “http_5xx”`;
    await confirm(page, 'Discard them', `${which} (1).`);
    await page.getByRole('status').getByText('Discarded: 1 dead letter.').waitFor();
    await page.getByText('No dead letter.').waitFor();
    expect(await deliveriesOf(destination, 'cancelled', 1)).toMatchObject([{ id }]);
  });

  it('replays the events of a time, and cancels that', async () => {
    for (let count = 0; count < 5; count += 1) await shop.send({ userId: 'ada', event: `Step ${count}` });
    const destination = await aDestination();
    const page = await harness.open('admin', `/destinations/${destination.id}`);
    const counted = page.getByText(/^\d+ deliveries would be made, of [\d,]+ events received from/);
    const count = page.getByRole('button', { name: 'Count them' });
    await count.click();
    expect(await page.getByLabel('Received from').evaluate((field) => field.matches(':focus'))).toBe(true);
    await page.getByLabel('Received from').fill('2020-01-01T00:00:10');
    await count.click();
    await counted.waitFor();
    expect((await harness.api.get(`/replays?destinationId=${destination.id}`)).body).toEqual([]);
    await page.getByLabel('Received before (now, if empty)').fill('2020-01-02T00:00:10');
    await counted.waitFor({ state: 'detached' });
    await page.getByLabel('Received before (now, if empty)').fill('');
    await page.getByLabel('Deliveries a second').fill('1');
    await section(page, 'Replays').getByRole('button', { name: 'Replay', exact: true }).click();
    const replay = table(page, 'Replays').getByRole('row').nth(1);
    await replay.getByText('Running').waitFor();
    await confirm(page, 'Cancel the replay', /Nothing more is replayed/);
    await replay.getByText('Cancelled').waitFor();
    await page.getByLabel('Deliveries a second').fill('1000');
    await section(page, 'Replays').getByRole('button', { name: 'Replay', exact: true }).click();
    await table(page, 'Replays').getByText('Done').waitFor();
  });

  it('asks for the numbers of a destination when a replay begins, and when it ends', async () => {
    const { id } = await aDestination();
    const replay = { id: randomUUID(), kind: 'events', destinationId: id, total: 1, done: 0, deliveries: 0 };
    const at = new Date().toISOString();
    let replays: object[] = [];
    const page = await harness.open('admin', '/destinations');
    await page.route('**/replays?*', (route) => route.fulfill({ json: replays }));
    await page.route('**/destinations/*/replay', (route) => {
      replays = [{ ...replay, state: 'running', waitsFor: null, createdAt: at, updatedAt: at }];
      return route.fulfill({ json: replays[0] });
    });
    await page.goto(`${harness.url}/console/destinations/${id}`);
    await section(page, 'Health').getByText('Healthy').waitFor();
    // While an answer is outstanding nobody asks again by the clock.
    let asked = 0;
    await page.route(`**/destinations/${id}/stats`, () => void (asked += 1));
    await eventually(() => expect(asked).toBe(1));
    await page.getByLabel('Received from').fill('2020-01-01T00:00:10');
    await section(page, 'Replays').getByRole('button', { name: 'Replay', exact: true }).click();
    await table(page, 'Replays').getByText('Running').waitFor();
    await eventually(() => expect(asked).toBe(2));
    replays = [{ ...replays[0], state: 'done' }];
    await table(page, 'Replays').getByText('Done').waitFor();
    await eventually(() => expect(asked).toBe(3));
  });

  it('says of a replay that is done what was no longer there, and its bar is full', async () => {
    const { id } = await aDestination();
    const page = await harness.open('reader', '/destinations');
    const replay = { id: randomUUID(), kind: 'dead_letters', destinationId: id, ratePerSecond: 100 };
    const at = '2026-01-31T12:00:00.000Z';
    const counts = { total: 508, done: 503, deliveries: 503, waitsFor: null, createdAt: at, updatedAt: at };
    let state = 'running';
    await page.route('**/replays?*', (route) => route.fulfill({ json: [{ ...replay, ...counts, state }] }));
    await page.goto(`${harness.url}/console/destinations/${id}`);
    const row = table(page, 'Replays').getByRole('row').nth(1);
    const bar = row.getByRole('progressbar', { name: 'Looked at' });
    await row.getByText('503 of 508 looked at, 503 replayed').waitFor();
    expect(Number(await bar.getAttribute('aria-valuenow'))).toBeCloseTo(99, 0);
    state = 'done';
    await row.getByText('503 of 508 looked at, 5 were no longer there, 503 replayed').waitFor();
    expect(await bar.getAttribute('aria-valuenow')).toBe('100');
    expect(await harness.seriousViolations(page)).toEqual([]);
  });

  it('says of a destination without types of events that it gets notices only', async () => {
    const filter = { types: [] };
    const { id } = await aDestination('', { filter, notices: ['destination_disabled'] });
    const page = await harness.open('reader', `/destinations/${id}`);
    const gets = section(page, 'What it gets');
    await gets.getByText('It gets no events, only notices. It is told: a destination is disabled.').waitFor();
    expect(await gets.innerText()).not.toContain('Events of');
    const { id: idle } = await aDestination('', { filter });
    await page.goto(`${harness.url}/console/destinations/${idle}`);
    await gets.getByText('It gets no events.', { exact: true }).waitFor();
  });

  it('has no button for a reader that would fail', async () => {
    const destination = await aDestination('/bad');
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    const [{ id } = { id: '' }] = await deliveriesOf(destination, 'dead', 1);
    const page = await harness.open('reader', '/destinations');
    expect(await page.getByRole('link', { name: 'Create a destination' }).count()).toBe(0);
    const path = `${harness.url}/console/destinations/${destination.id}`;
    const none = async (...labels: string[]): Promise<void> => {
      for (const name of labels)
        expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0);
    };
    await page.goto(path);
    await section(page, 'Replays').getByText('No replay yet.').waitFor();
    await none('Test', 'Pause', 'Rotate the secret', 'Delete', 'Replay');
    const views = page.getByRole('navigation', { name: 'Destination' });
    expect(await views.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    for (const deep of [`${path}/settings`, `${harness.url}/console/destinations/new`]) {
      await page.goto(deep);
      await page.getByText('You may look at this, but not change it.').waitFor();
      await none('Save', 'Create');
    }
    await page.goto(`${path}/dead-letters`);
    await table(page, 'Dead letters').waitFor();
    await none('Replay them', 'Discard them');
    await page.goto(`${path}/deliveries/${id}`);
    await page.getByRole('heading', { name: 'Delivery of Order Completed' }).waitFor();
    await none('Retry it', 'Replay it', 'Discard it');
  });

  it('tells one that is down from one of which some tries fail', async () => {
    const destination = await aDestination('', { config: { url: 'http://127.0.0.1:1/' } });
    for (let sent = 0; sent < 25; sent += 1) await shop.send({ userId: 'ada', event: 'Order Completed' });
    const page = await harness.open('reader', `/destinations/${destination.id}`);
    await section(page, 'Health').getByText('Degraded: down', { exact: true }).waitFor();
    harness.deleteAfterwards(`/destinations/${destination.id}`);
  });

  it('says above the list of deliveries why what is pending is not sent', async () => {
    const events = { sources: [shop.source.id] };
    const down = await aDestination('', { ...events, config: { url: 'http://127.0.0.1:1/' } });
    const order = { by: 'person', maxWaitSeconds: 3_600 };
    const ordered = await aDestination('/later', { ...events, order });
    const paused = await aDestination('', events);
    await harness.api.post(`/destinations/${paused.id}/pause`);
    for (let sent = 0; sent < 25; sent += 1) await shop.send({ userId: 'ada', event: 'Order Completed' });
    const page = await harness.open('reader', `/destinations/${down.id}/deliveries`);
    const waits = page.getByRole('alert').filter({ hasText: 'What is pending waits' });
    await waits.getByText('It waits because the destination is down.').waitFor();
    await waits.getByText('next probe').waitFor();
    await page.goto(`${harness.url}/console/destinations/${paused.id}/deliveries?state=pending`);
    await waits.getByText('It waits because somebody paused the destination.').waitFor();
    expect(await harness.seriousViolations(page)).toEqual([]);
    await page.getByLabel('State').selectOption('delivered');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('No such delivery.').waitFor();
    expect(await waits.count()).toBe(0);
    await page.goto(`${harness.url}/console/destinations/${ordered.id}/deliveries`);
    await page.getByText('of each person only the earliest pending delivery is sent').waitFor();
    for (const { id } of [down, ordered, paused]) harness.deleteAfterwards(`/destinations/${id}`);
  });

  it('shows a script in a name and in an answer as the text that it is', async () => {
    shop.receiver.behaviour = (_delivery, response) => response.end(SCRIPT);
    const destination = await aDestination('', { name: `${SCRIPT} ${randomUUID()}` });
    await shop.send({ userId: SCRIPT, event: SCRIPT });
    const [{ id } = { id: '' }] = await deliveriesOf(destination, 'delivered', 1);
    const page = await harness.open('admin', `/destinations/${destination.id}`);
    await page.getByRole('heading', { name: destination.name, level: 1 }).waitFor();
    await page.goto(`${harness.url}/console/destinations/${destination.id}/deliveries/${id}`);
    await table(page, 'Tries').getByText('document.title').waitFor();
    expect(await page.title()).toBe(`Delivery of ${SCRIPT} · Console`);
    harness.deleteAfterwards(`/destinations/${destination.id}`);
  });

  it('says why a destination or a delivery cannot be shown', async () => {
    harness.expectComplaint(/404/);
    const page = await harness.open('reader', '/destinations');
    await page.goto(`${harness.url}/console/destinations/${randomUUID()}`);
    await page.getByRole('alert').getByText('destination_not_found').waitFor();
    await page.getByRole('heading', { name: 'Destination', level: 1 }).waitFor();
    await page.goto(`${harness.url}/console/destinations/${randomUUID()}/deliveries/${randomUUID()}`);
    await page.getByRole('alert').getByText('delivery_not_found').waitFor();
    await page.getByRole('heading', { name: 'Delivery', level: 1 }).waitFor();
  });

  it.each([
    ['light', {}],
    ['dark', { dark: true }],
    ['on a phone', { phone: true }],
  ] as const)('is accessible, %s', async (_, options) => {
    const destination = await aDestination('/bad', { filter: { types: ['track'] } });
    shop.receiver.answer(500);
    await shop.send({ userId: 'ada', event: 'Order Completed' });
    const [{ id } = { id: '' }] = await deliveriesOf(destination, 'dead', 1);
    const page = await harness.open('admin', '/destinations', options);
    const path = `${harness.url}/console/destinations/${destination.id}`;
    const check = async (): Promise<void> => {
      expect(await harness.seriousViolations(page)).toEqual([]);
    };
    const first = table(page, 'Destinations').getByRole('row').nth(1);
    await first.getByText(/Healthy|Degraded|Paused|Disabled/).waitFor();
    await check();
    await page.goto(`${harness.url}/console/destinations/new`);
    await page.getByLabel('URL').waitFor();
    await check();
    await page.goto(path);
    await section(page, 'Health').getByRole('table').waitFor();
    await check();
    await page.goto(`${path}/settings`);
    await page.getByRole('button', { name: 'Try it on the newest events' }).click();
    await table(page, 'Previewed events').waitFor();
    await check();
    await page.goto(`${path}/deliveries`);
    await table(page, 'Deliveries').waitFor();
    await check();
    await page.goto(`${path}/dead-letters`);
    await table(page, 'Dead letters').waitFor();
    await page.getByRole('button', { name: 'Discard them' }).click();
    await page.getByRole('dialog').getByText('cancelled for good').waitFor();
    await check();
    await page.goto(`${path}/deliveries/${id}`);
    await section(page, 'Request').getByText('X-Service-Signature').waitFor();
    await check();
  });
}
