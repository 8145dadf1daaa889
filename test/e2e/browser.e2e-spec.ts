import type { Browser, Page } from 'playwright-core';
import { QUEUE_DESCRIPTIONS } from '../../src/platform/queues/job';
import { aToken } from '../support/a-token';
import { type ApiClient, anApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { findChromium, launchChromium } from '../support/chromium';
import { startTestService, type TestService } from '../support/test-service';

const executable = findChromium();
const withBrowser = executable === undefined ? describe.skip : describe;

withBrowser('in a browser (skipped when there is no chromium on the PATH)', () => {
  let service: TestService;
  let api: ApiClient;
  let token: string;
  let browser: Browser;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    buildService();
    service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false' } });
    api = await anApiClient(service);
    token = await aToken(service);
    browser = await launchChromium(executable ?? '');
    page = await browser.newPage({ viewport: { width: 1300, height: 1000 } });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      // Bull Board would like a font of Google's; it gets none, and nobody there learns of our visitors.
      const isOurs = !message.text().includes('https://fonts.googleapis.com');
      if (isOurs && /Content Security Policy|Refused to/.test(message.text()))
        complaints.push(message.text());
    });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Presses "Execute" on an operation with the example that is there. Answers the status. */
  const tryOut = async (operation: string): Promise<string> => {
    const block = page.locator(`[id="operations-${operation}"]`);
    await block.locator('.opblock-summary-control').click();
    await block.locator('.execute').click();
    const status = block.locator('.live-responses-table tbody .response-col_status').first();
    await status.waitFor();
    return (await status.innerText()).trim().slice(0, 3);
  };

  it('authorizes in Swagger UI, and every create works with the example as it is given', async () => {
    await page.goto(`${service.url}/docs`);
    await page.locator('.opblock').first().waitFor();
    await page.click('.btn.authorize');
    const bearer = page.locator('.modal-ux .auth-container', { hasText: 'bearer' });
    await bearer.locator('input').fill(token);
    await bearer.locator('button.authorize').click();
    await page.locator('.modal-ux button.btn-done').first().click();
    // Its example names a segment that is not there yet.
    await page.locator('[id="operations-segments-segments_findOne"] .opblock-summary-control').click();
    for (const operation of [
      'sources-sources_create',
      'destinations-destinations_create',
      'segments-segments_create',
    ]) {
      expect([operation, await tryOut(operation)]).toEqual([operation, '201']);
    }
    expect(['configuration_apply', await tryOut('configuration-configuration_apply')]).toEqual([
      'configuration_apply',
      '200',
    ]);
    expect((await api.get('/destinations')).body[0]).toMatchObject({ name: 'Order service' });
    expect(complaints).toEqual([]);
  });

  it('repeats a create without making another thing, and names what was made in the examples that follow', async () => {
    const create = page.locator('[id="operations-sources-sources_create"]');
    const before = (await api.get<object[]>('/sources')).body.length;
    const repeated = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await create.locator('.execute').click();
    expect((await (await repeated).allHeaders())['idempotent-replayed']).toBe('true');
    expect((await api.get<object[]>('/sources')).body).toHaveLength(before);
    const changed = page.waitForResponse((answer) => answer.request().method() === 'POST');
    await create.locator('textarea.body-param__text').fill('{"name": "Another shop"}');
    await create.locator('.execute').click();
    expect((await changed).status()).toBe(201);
    expect(['sources_findOne', await tryOut('sources-sources_findOne')]).toEqual(['sources_findOne', '200']);
    expect(complaints).toEqual([]);
  });

  it('finds what the page made by the id that stood for it when the page was loaded', async () => {
    const block = page.locator('[id="operations-segments-segments_findOne"]');
    const shown = block.locator('.parameters input').first();
    await shown.fill('00000000-0000-7000-8000-00000000000a');
    const answered = page.waitForResponse((answer) => answer.url().includes('/segments/'));
    await block.locator('.execute').click();
    expect((await answered).status()).toBe(200);
  });

  it('folds the examples of errors until somebody clicks on one', async () => {
    const row = page.locator('[id="operations-sources-sources_findOne"] tr.response[data-code="404"]');
    expect(await row.locator('.model-example').isVisible()).toBe(false);
    await row.locator('.response-col_status').click();
    expect(await row.locator('.model-example').isVisible()).toBe(true);
    const success = page.locator('[id="operations-sources-sources_findOne"] tr.response[data-code="200"]');
    expect(await success.locator('.model-example').last().isVisible()).toBe(true);
  });

  it('logs in to Bull Board and sees a delivery that will be tried again', async () => {
    const source = (await api.post('/sources', { name: 'Shop' })).body;
    const config = { url: 'http://127.0.0.1:9/nobody-listens' };
    await api.post('/destinations', { name: 'Away', type: 'webhook', config });
    const authorization = `Basic ${Buffer.from(`${source.writeKey}:`).toString('base64')}`;
    const event = { type: 'track', event: 'Seen', userId: 'u', messageId: 'm', timestamp: new Date() };
    expect((await api.with({ authorization }).post('/v1/batch', { batch: [event] })).status).toBe(200);
    await eventually(async () => {
      const { body } = await api.get('/queues/api/queues');
      const retries = body.queues.find(({ name }: { name: string }) => name === 'delivery-retries');
      expect(retries.counts.delayed).toBeGreaterThan(0);
    });

    await page.goto(`${service.url}/queues`);
    expect(new URL(page.url()).pathname).toBe('/login');
    await page.fill('#token', token);
    await page.click('button');
    await page.waitForURL(/\/queues\/?$/);
    await page.goto(`${service.url}/queues/queue/delivery-retries?status=delayed`);
    await page.getByText('deliveryId').first().waitFor();
    await page.getByText(QUEUE_DESCRIPTIONS['delivery-retries']).waitFor();
    expect(complaints).toEqual([]);
  });
});
