import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import { aToken } from '../../../test/support/a-token';
import { findChromium, launchChromium } from '../../../test/support/chromium';
import type { ConsoleHarness } from '../harness';

const FIRST_LOAD_MAX_BYTES = 300_000;

/** What is around every page. */
export default function shellTests(harness: ConsoleHarness): void {
  /** The sources, in a session that no other test has. To be closed. */
  async function openSourcesAlone(who: 'reader' | 'admin'): Promise<{ context: BrowserContext; own: Page }> {
    const page = await harness.open(who, '/sources');
    const context = await page.context().browser()!.newContext();
    await context.addCookies(await page.context().cookies());
    const own = await context.newPage();
    await own.goto(`${harness.url}/console/sources`);
    return { context, own };
  }

  it('sends a stranger to the login, and from there to the page that was wanted', async () => {
    const browser = await launchChromium(findChromium() ?? '');
    try {
      const page = await browser.newPage();
      await page.goto(`${harness.url}/console/sources?a=b`);
      await page.waitForURL(/\/login\?/);
      await page.fill('#token', 'nonsense');
      await page.click('button');
      await page.getByText('The bearer token is not valid.').waitFor();
      await page.fill('#token', await aToken(harness.running, ['cdp:read']));
      await page.press('#token', 'Enter');
      await page.waitForURL(`${harness.url}/console/sources?a=b`);
      await page.getByRole('heading', { name: 'Sources' }).waitFor();
    } finally {
      await browser.close();
    }
  });

  it('says which scope is missing to somebody who may see no page', async () => {
    const browser = await launchChromium(findChromium() ?? '');
    try {
      const page = await browser.newPage();
      await page.goto(`${harness.url}/login?to=/console`);
      await page.fill('#token', await aToken(harness.running, ['cdp:privacy']));
      await page.click('button');
      await page.getByText('the scope cdp:read').waitFor();
      await page.getByRole('button', { name: 'operator@example.com' }).click();
      await page.getByText('May: privacy').waitFor();
    } finally {
      await browser.close();
    }
  });

  it('lets nobody in who logged out', async () => {
    const { context, own } = await openSourcesAlone('reader');
    await own.getByRole('button', { name: 'operator@example.com' }).click();
    await own.getByRole('menuitem', { name: 'Log out' }).click();
    await own.waitForURL(/\/login/);
    await own.goto(`${harness.url}/console/sources`);
    await own.waitForURL(/\/login\?/);
    await context.close();
  });

  it('stays where somebody writes when his session ends, and goes on once he is logged in again', async () => {
    const { context, own } = await openSourcesAlone('admin');
    const name = `Written for long ${randomUUID()}`;
    await own.getByRole('button', { name: 'Create a source' }).click();
    await own.getByLabel('Name').fill(name);
    await context.clearCookies();
    await own.getByRole('button', { name: 'Create', exact: true }).click();
    const ended = own.getByRole('alert').filter({ hasText: 'Your session has ended' });
    await ended.waitFor();
    expect(await harness.seriousViolations(own)).toEqual([]);
    const opened = context.waitForEvent('page');
    await ended.getByRole('link', { name: 'Log in again' }).click();
    const login = await opened;
    await login.fill('#token', await aToken(harness.running));
    await login.click('button');
    await login.getByRole('heading', { name: 'Sources', level: 1 }).waitFor();
    await own.getByRole('button', { name: 'Create', exact: true }).click();
    await own.getByRole('dialog', { name: `Write key of ${name}` }).waitFor();
    await ended.waitFor({ state: 'detached' });
    await context.close();
  });

  it('takes less than 300 KB for its first load', async () => {
    const page = await harness.open('admin', '/');
    const loaded = (await page.evaluate(
      `performance.getEntriesByType('resource').filter(({ name }) => name.includes('/console/assets/')).map(({ name, encodedBodySize }) => [name, encodedBodySize])`,
    )) as [name: string, bytes: number][];
    expect(loaded.length).toBeGreaterThan(2);
    expect(loaded.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThan(FIRST_LOAD_MAX_BYTES);
  });

  it('is sent with a policy that runs files of the service only, and is never cached', async () => {
    const index = await fetch(`${harness.url}/console/sources`);
    expect(index.headers.get('cache-control')).toBe('no-store');
    const policy = index.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).not.toContain('unsafe');
    const html = await index.text();
    expect(html).not.toContain('CSP_NONCE');
    const script = /<script type="module"[^>]* src="([^"]+)"/.exec(html)?.[1] ?? '';
    const asset = await fetch(new URL(script, harness.url));
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(asset.headers.get('content-encoding')).toBe('gzip');
    const plain = await fetch(new URL(script, harness.url), { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(await asset.text());
    expect((await fetch(`${harness.url}/console/assets/gone-12345678.js`)).status).toBe(404);
  });

  it('lends its icon to pages that name none', async () => {
    const icon = await fetch(`${harness.url}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  });

  it('can be used with the keyboard alone', async () => {
    const page = await harness.open('admin', '/sources');
    await page.reload();
    await page.getByRole('heading', { name: 'Sources', level: 1 }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('link', { name: 'Skip to the content' }).waitFor();
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('has its navigation behind a button on a phone, and nothing is wider than the screen', async () => {
    const page = await harness.open('admin', '/sources', { phone: true });
    const entry = page.getByRole('navigation').getByRole('link', { name: 'Sources' });
    expect(await entry.isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Navigation' }).click();
    await entry.waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });

  it('keeps the colours that were chosen', async () => {
    const page = await harness.open('reader', '/sources', { dark: true });
    const scheme = (): Promise<unknown> =>
      page.evaluate('document.documentElement.dataset.mantineColorScheme');
    expect(await scheme()).toBe('dark');
    await page.getByRole('button', { name: 'operator@example.com' }).click();
    await page.getByRole('menuitemradio', { name: 'Light' }).click();
    expect(await scheme()).toBe('light');
    await page.reload();
    expect(await scheme()).toBe('light');
    await page.getByRole('button', { name: 'operator@example.com' }).click();
    await page.getByRole('menuitemradio', { name: 'As the system' }).click();
    expect(await scheme()).toBe('dark');
  });

  it('says so where there is no such page', async () => {
    const page = await harness.open('admin', '/nowhere');
    await page.getByRole('heading', { name: 'Nothing here' }).waitFor();
  });
}
