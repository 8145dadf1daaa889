import type { Locator, Page } from 'playwright-core';

/** Runs in a page that takes what others sent for HTML: then the title of the page is another. */
export const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

export function table(page: Page, name: string): Locator {
  return page.getByRole('table', { name, exact: true });
}

export function section(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

/** Presses a button, reads what it says will happen, and lets it happen. */
export async function confirm(page: Page, label: string, consequence: RegExp): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(consequence).first().waitFor();
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}
