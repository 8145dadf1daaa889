import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import type { ConsoleHarness } from '../harness';

/** What is written and not saved, on whichever page. */
export default function unsavedTests(harness: ConsoleHarness): void {
  const leave = (page: Page): Promise<void> =>
    page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Audit' }).click();
  const asked = (page: Page): Locator => page.getByRole('dialog', { name: 'Leave without saving?' });
  const hasLeft = (page: Page): Promise<void> =>
    page.getByRole('heading', { name: 'Audit', level: 1 }).waitFor();
  /** Whether the browser would ask before it closes the tab. */
  const holdsTab = (page: Page): Promise<unknown> =>
    page.evaluate("!dispatchEvent(new Event('beforeunload', { cancelable: true }))");

  it.each([
    ['/segments/new', 'Name'],
    ['/segments/new', 'Name or path'],
    ['/computed-traits/new', 'Event name'],
    ['/tracking-plans/new', 'Rules as JSON'],
    ['/transformations/new', 'Code'],
    ['/destinations/new', 'URL'],
    ['/configuration', 'A document, in YAML or JSON'],
  ])('is not thrown away before somebody was asked: %s, %s', async (path, label) => {
    const page = await harness.open('admin', path);
    const field = page
      .getByRole('textbox', { name: label, exact: true })
      .or(page.getByRole('combobox', { name: label, exact: true }));
    await field.click();
    expect(await holdsTab(page)).toBe(false);
    await page.keyboard.type('x');
    await leave(page);
    await asked(page).getByText('not saved').waitFor();
    expect(await holdsTab(page)).toBe(true);
    expect(await harness.seriousViolations(page)).toEqual([]);
    await asked(page).getByRole('button', { name: 'Stay' }).click();
    await asked(page).waitFor({ state: 'detached' });
    expect(new URL(page.url()).pathname).toBe(`/console${path}`);
    await leave(page);
    await asked(page).getByRole('button', { name: 'Leave without saving' }).click();
    await hasLeft(page);
    expect(await holdsTab(page)).toBe(false);
  });

  it('is asked for when one goes back, too', async () => {
    const page = await harness.open('admin', '/segments');
    await page.getByRole('link', { name: 'Create a segment' }).click();
    await page.getByLabel('Description').click();
    await page.keyboard.type('x');
    await page.evaluate('history.back()');
    await asked(page).getByRole('button', { name: 'Stay' }).click();
    await asked(page).waitFor({ state: 'detached' });
    expect(await page.getByLabel('Description').inputValue()).toBe('x');
    await page.getByLabel('Description').press('End');
    await page.evaluate('history.back()');
    await asked(page).getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor();
  });

  it('is nothing once it is saved, and is something again when more is written', async () => {
    const { body } = await harness.api.post('/destinations', {
      name: `Kept ${randomUUID()}`,
      type: 'webhook',
      config: { url: 'https://example.com/kept' },
      enabled: false,
    });
    const page = await harness.open('admin', `/destinations/${body.id}/settings`);
    await page.getByLabel('Rate limit').fill('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await holdsTab(page)).toBe(false);
    await page.getByLabel('Rate limit').fill('6');
    await leave(page);
    await asked(page).getByRole('button', { name: 'Stay' }).click();
    await asked(page).waitFor({ state: 'detached' });
    await page.getByLabel('Rate limit').fill('5');
    await leave(page);
    await hasLeft(page);
  });
}
