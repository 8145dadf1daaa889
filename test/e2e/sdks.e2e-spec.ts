import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Analytics as CustomerIoAnalytics } from '@customerio/cdp-analytics-node';
import { emptyRuntime, jitsuAnalytics } from '@jitsu/js';
import RudderAnalytics from '@rudderstack/rudder-sdk-node';
import { Analytics as SegmentAnalytics } from '@segment/analytics-node';
import LegacyAnalytics from 'analytics-node';
import type { Browser } from 'playwright-core';
import { Database } from '../../src/platform/database/database';
import { aSource, type TestSource } from '../support/a-source';
import { findChromium, launchChromium } from '../support/chromium';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';

/** Requests of one SDK as a recording server saw them. */
interface Recording {
  readonly accepts: string;
  readonly cases: readonly { readonly call: string; readonly steps: readonly RecordedRequest[] }[];
}

interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: unknown;
}

const FIXTURES = join(__dirname, '../fixtures/sdk-samples');
const TYPES = ['alias', 'group', 'identify', 'page', 'screen', 'track'];

let service: TestService;
let source: TestSource;

beforeAll(async () => {
  service = await startTestService({ env: { CDP_ROLES: 'management,events' } });
});
beforeEach(async () => {
  source = await aSource(service.databaseUrl);
});
afterAll(() => service.close());

/** The types of all events that were stored of this test's source, sorted. */
async function storedTypes(): Promise<string[]> {
  const rows = await service.app
    .get(Database)
    .query<{ type: string }>('select type from event where source_id = $1', [source.id]);
  return rows.map(({ type }) => type).sort();
}

interface StoredEvent {
  readonly type: string;
  readonly userId?: string;
  readonly anonymousId?: string;
  readonly context: { readonly ip?: string };
}

async function storedEvents(): Promise<StoredEvent[]> {
  const rows = await service.app
    .get(Database)
    .query<{ payload: StoredEvent }>('select payload from event where source_id = $1', [source.id]);
  return rows.map(({ payload }) => payload);
}

describe('what SDKs were recorded to send', () => {
  const recordings = readdirSync(FIXTURES).map((file) => ({
    sdk: file.replace('.json', ''),
    ...(JSON.parse(readFileSync(join(FIXTURES, file), 'utf8')) as Recording),
  }));

  it.each(recordings)('is answered as $sdk needs it, and stored', async ({ cases, accepts }) => {
    for (const { call, steps } of cases) {
      for (const step of steps) {
        const response = await replay(step);
        const body = await response.text();
        const preflight = step.method === 'OPTIONS';
        expect({ call, status: response.status, body }).toEqual({
          call,
          status: preflight ? 204 : 200,
          body,
        });
        if (accepts.includes('cors')) {
          expect(response.headers.get('access-control-allow-origin')).toBe(step.headers.Origin);
        }
        if (step.path.endsWith('settings')) {
          expect(JSON.parse(body)).toMatchObject({
            integrations: { 'Segment.io': { apiKey: source.writeKey } },
          });
        } else if (!preflight) {
          expect(JSON.parse(body)).toEqual({ success: true, accepted: 1, duplicates: 0 });
        }
      }
    }
    const calls = cases.map(({ call }) => call.split('-')[0] ?? '').filter((call) => call !== 'settings');
    expect(await storedTypes()).toEqual(calls.sort());
  });

  function replay({ method, path, headers, body }: RecordedRequest): Promise<Response> {
    const fill = (text: string): string =>
      text
        .replaceAll('{{writeKey}}', source.writeKey)
        .replaceAll('{{basic}}', Buffer.from(`${source.writeKey}:`).toString('base64'));
    return fetch(`${service.url}${fill(path)}`, {
      method,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
      ...(body === undefined ? {} : { body: fill(JSON.stringify(body)) }),
    });
  }
});

describe('real SDKs', () => {
  const user = { userId: 'u-1' };

  it.each([
    ['Segment', SegmentAnalytics],
    ['Customer.io', CustomerIoAnalytics as unknown as typeof SegmentAnalytics],
  ])('of %s send every type of event', async (_name, Analytics) => {
    const errors: unknown[] = [];
    const analytics = new Analytics({ writeKey: source.writeKey, host: service.url, maxEventsInBatch: 20 });
    analytics.on('error', (error: unknown) => errors.push(error));
    analytics.track({ ...user, event: 'Bought', properties: { revenue: 9.5 } });
    analytics.identify({ ...user, traits: { plan: 'pro' } });
    analytics.page({ ...user, name: 'Home' });
    analytics.screen({ anonymousId: 'a-1', name: 'Main' });
    analytics.group({ ...user, groupId: 'g-1' });
    analytics.alias({ ...user, previousId: 'a-1' });
    await analytics.closeAndFlush({ timeout: 10_000 });
    expect(errors).toEqual([]);
    await eventually(async () => expect(await storedTypes()).toEqual(TYPES));
  });

  it('that Segment has retired send every type of event', async () => {
    const analytics = new LegacyAnalytics(source.writeKey, { host: service.url, flushInterval: 60_000 });
    sendEach(analytics);
    await new Promise<void>((resolve, reject) => {
      void analytics.flush((error) => (error instanceof Error ? reject(error) : resolve()));
    });
    await eventually(async () => expect(await storedTypes()).toEqual(TYPES));
  });

  it.each([true, false])('of RudderStack send every type of event (gzip: %s)', async (gzip) => {
    const analytics = new RudderAnalytics(source.writeKey, {
      dataPlaneUrl: service.url,
      gzip,
      flushInterval: 60_000,
    });
    sendEach(analytics);
    await analytics.flush();
    await eventually(async () => expect(await storedTypes()).toEqual(TYPES));
  });

  it.each([true, false])(
    'of Jitsu send every type of event that they have (from servers: %s)',
    async (s2s) => {
      const options = { host: service.url, writeKey: `shop:${source.writeKey}`, s2s };
      const analytics = jitsuAnalytics({ ...options, runtime: emptyRuntime(options) });
      await analytics.identify('u-1', { plan: 'pro' });
      await analytics.track('Bought', { revenue: 9.5 });
      await analytics.page({ name: 'Home' });
      await analytics.group('g-1', { name: 'Acme' });
      await eventually(async () =>
        expect(await storedTypes()).toEqual(['group', 'identify', 'page', 'track']),
      );
      expect((await storedEvents()).map(({ userId }) => userId)).toEqual(['u-1', 'u-1', 'u-1', 'u-1']);
    },
  );

  it('may send batches where Jitsu takes them, with its header', async () => {
    const event = { type: 'track', event: 'Bought', ...user, messageId: 'm-1', timestamp: new Date() };
    const send = (writeKey: string): Promise<Response> =>
      fetch(`${service.url}/api/s/s2s/batch`, {
        method: 'POST',
        headers: { 'x-write-key': writeKey },
        body: JSON.stringify({ batch: [event] }),
      });
    expect((await send(`shop:${source.writeKey}`)).status).toBe(200);
    expect((await send('shop:wrong')).status).toBe(401);
    expect(await storedTypes()).toEqual(['track']);
  });

  interface Calls {
    track(message: { userId: string; event: string; properties: { revenue: number } }): unknown;
    identify(message: { userId: string; traits: { plan: string } }): unknown;
    page(message: { userId: string; name: string }): unknown;
    screen(message: { userId: string; name: string }): unknown;
    group(message: { userId: string; groupId: string }): unknown;
    alias(message: { userId: string; previousId: string }): unknown;
  }

  function sendEach(analytics: Calls): void {
    // The first event of both SDKs is flushed alone, at once.
    analytics.track({ ...user, event: 'Bought', properties: { revenue: 9.5 } });
    analytics.identify({ ...user, traits: { plan: 'pro' } });
    analytics.page({ ...user, name: 'Home' });
    analytics.screen({ ...user, name: 'Main' });
    analytics.group({ ...user, groupId: 'g-1' });
    analytics.alias({ ...user, previousId: 'a-1' });
  }
});

const executable = findChromium();
const withBrowser = executable === undefined ? describe.skip : describe;

withBrowser('SDKs in a browser (skipped when there is no chromium on the PATH)', () => {
  const script = join(require.resolve('@jitsu/js'), '../web/p.js.txt');
  let browser: Browser;
  let site: RunningSite;

  beforeAll(async () => {
    browser = await launchChromium(executable ?? '');
    site = await startSite();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  interface JitsuWindow {
    jitsuConfig: object;
    jitsu: { page(): Promise<unknown>; identify(id: string, traits: object): Promise<unknown> };
  }

  /** Calls the SDK that a page of another site has loaded from the service's host, as its script tag says. */
  const visit = async (privacy: object): Promise<StoredEvent[]> => {
    const page = await browser.newPage();
    await page.route(`${service.url}/p.js`, (route) =>
      route.fulfill({ path: script, contentType: 'text/javascript' }),
    );
    await page.goto(site.url);
    const config = { writeKey: `shop:${source.writeKey}`, privacy };
    await page.evaluate(
      (given) => Object.assign(globalThis, { jitsuConfig: { ...given, initOnly: true } }),
      config,
    );
    await page.addScriptTag({ url: `${service.url}/p.js` });
    await page.evaluate(async () => {
      const { jitsu } = globalThis as unknown as JitsuWindow;
      await jitsu.page();
      await jitsu.identify('u-1', { plan: 'pro' });
    });
    await page.close();
    await eventually(async () => expect(await storedTypes()).toEqual(['identify', 'page']));
    return storedEvents();
  };

  it('of Jitsu send from pages of another site, with the address of the visitor', async () => {
    const events = await visit({});
    expect(events.map(({ context }) => context.ip)).toEqual(['127.0.0.1', '127.0.0.1']);
  });

  it.each(['remove', 'stripLastOctet'])(
    'of Jitsu leave out the address when told to (%s)',
    async (ipPolicy) => {
      const events = await visit({ ipPolicy });
      expect(events.map(({ context }) => context.ip)).toEqual([undefined, undefined]);
    },
  );
});

interface RunningSite {
  readonly url: string;
  close(): Promise<void>;
}

/** A site that is not the service's. */
async function startSite(): Promise<RunningSite> {
  const server = createServer((_request, answer) =>
    answer.setHeader('content-type', 'text/html').end('<p>Shop'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
