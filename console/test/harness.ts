import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { aToken } from '../../test/support/a-token';
import { type ApiClient, anApiClient } from '../../test/support/api-client';
import { buildConsole } from '../../test/support/built-service';
import { findChromium, launchChromium } from '../../test/support/chromium';
import { startTestService, type TestService } from '../../test/support/test-service';
import { outOfSight } from './out-of-sight';

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** In the dark nothing but the colours is another. */
const AXE_RUN = `axe.run({
  resultTypes: ['violations'],
  ...(matchMedia('(prefers-color-scheme: dark)').matches && { runOnly: ['color-contrast', 'link-in-text-block'] }),
})`;
/** What axe-core takes for minor, and is easily right. */
const ALSO: ReadonlySet<string> = new Set(['empty-table-header']);
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };

/** What fails twice is dead. */
const SOON_DEAD = { CDP_DELIVERY_BACKOFF_MS: '20', CDP_DELIVERY_MAX_ATTEMPTS: '2' };

/** Whose session the browser has: `admin` may do everything, `reader` has `cdp:read` alone. */
export type Role = 'admin' | 'reader';

interface PageOptions {
  readonly phone?: boolean;
  readonly dark?: boolean;
}

/**
 * The built console in a real browser, against a real service. All pages share one of each: they are started once, and
 * each test makes what it needs, under names of its own.
 */
export class ConsoleHarness {
  private service: TestService | undefined;
  private browser: Browser | undefined;
  private readonly contexts = new Map<Role, Promise<BrowserContext>>();
  /** Tabs that no test uses now. A tab costs more than most tests: the next one takes it over. */
  private readonly idle: Record<Role, Page[]> = { admin: [], reader: [] };
  private readonly opened: { readonly role: Role; readonly page: Page }[] = [];
  /** Paths of what a test has made, to be deleted after it. */
  private readonly unneeded: string[] = [];
  private complaints: string[] = [];
  private expected: RegExp[] = [];
  /** The Management API, as an administrator. */
  api: ApiClient;

  static isPossible(): boolean {
    return findChromium() !== undefined;
  }

  async start(): Promise<void> {
    buildConsole();
    this.service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false', ...SOON_DEAD } });
    this.api = await anApiClient(this.service);
    this.browser = await launchChromium(findChromium() ?? '');
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    await this.service?.close();
  }

  get url(): string {
    return this.running.url;
  }

  get running(): TestService {
    if (this.service === undefined) throw new Error('The harness is not started.');
    return this.service;
  }

  /** A tab, logged in as somebody, at an address of the console such as `/sources`. */
  async open(role: Role, path: string, { phone = false, dark = false }: PageOptions = {}): Promise<Page> {
    const page = this.idle[role].pop() ?? (await this.newPage(role));
    this.opened.push({ role, page });
    await page.setViewportSize(phone ? PHONE : DESKTOP);
    await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
    await page.goto(`${this.url}/console${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  }

  /** A failure that the test brings about by itself: what the browser says of it is no complaint. */
  expectComplaint(about: RegExp): void {
    this.expected.push(about);
  }

  /** After the test, when no page asks for it any more: a 404 would be a complaint. */
  deleteAfterwards(path: string): void {
    this.unneeded.push(path);
  }

  /** After each test: no script broke, no request failed, nothing was refused by the Content-Security-Policy. */
  async settle(): Promise<void> {
    for (const { role, page } of this.opened.splice(0)) {
      // What the page asks for at this moment is answered to nobody.
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      await page.goto('about:blank');
      this.idle[role].push(page);
    }
    for (const path of this.unneeded.splice(0)) await this.api.delete(path);
    const [complaints, expected] = [this.complaints, this.expected];
    [this.complaints, this.expected] = [[], []];
    expect(complaints.filter((complaint) => !expected.some((about) => about.test(complaint)))).toEqual([]);
  }

  /** What axe-core finds that is serious, and what is out of sight: none, for a page that is accessible. */
  async seriousViolations(page: Page): Promise<string[]> {
    // The browser runs what a debugger asks for, whatever the policy of the page.
    if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
    // Without what passed, which would be most of the answer and of the work.
    const found = (await page.evaluate(AXE_RUN)) as AxeResults;
    const serious = found.violations
      .filter(({ id, impact }) => impact === 'serious' || impact === 'critical' || ALSO.has(id))
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    return [...serious, ...(await outOfSight(page))];
  }

  private async newPage(role: Role): Promise<Page> {
    let context = this.contexts.get(role);
    if (context === undefined) {
      context = this.logIn(role);
      this.contexts.set(role, context);
    }
    const page = await (await context).newPage();
    this.listenTo(page);
    return page;
  }

  /** Through the form of the login, as people do. */
  private async logIn(role: Role): Promise<BrowserContext> {
    if (this.browser === undefined) throw new Error('The harness is not started.');
    const context = await this.browser.newContext({
      reducedMotion: 'reduce',
      // Not that of the service, and before 1926 not even whole minutes from it.
      timezoneId: 'Europe/Riga',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(20_000);
    const page = await context.newPage();
    await page.goto(`${this.url}/login?to=/console`);
    await page.fill('#token', await aToken(this.running, scopesOf(role)));
    await page.click('button');
    await page.waitForURL(/\/console\/.+/);
    await page.close();
    return context;
  }

  private listenTo(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(`script: ${error.message}`));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) this.complaints.push(`console: ${message.text()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.complaints.push(`${response.status()} ${response.url()}`);
    });
    page.on('requestfailed', (request) => {
      // A tab that is closed, and a query that nobody waits for any longer, end their requests.
      const reason = request.failure()?.errorText ?? '';
      if (reason !== 'net::ERR_ABORTED') this.complaints.push(`${reason} ${request.url()}`);
    });
  }
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}

function scopesOf(role: Role): readonly string[] | undefined {
  return role === 'reader' ? ['cdp:read'] : undefined;
}
