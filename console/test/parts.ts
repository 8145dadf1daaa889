import type { Locator, Page } from 'playwright-core';
import { eventually } from '../../test/support/eventually';

/** Runs in a page that takes what others sent for HTML: then the title of the page is another. */
export const SCRIPT = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

export function table(page: Page, name: string): Locator {
  return page.getByRole('table', { name, exact: true });
}

export function section(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true });
}

/** Presses a button, reads what it says will happen, and lets it happen. */
export async function confirm(page: Page, label: string, consequence: RegExp | string): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(consequence).first().waitFor();
  await dialog.getByRole('button', { name: label, exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Fields by their labels, of whatever kind they are; one that has to be filled in has a mark in its label. */
export async function fill(scope: Locator, members: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(members)) {
    const field = fieldIn(scope, label);
    if ((await field.evaluate((element: { tagName: string }) => element.tagName)) === 'SELECT')
      await field.selectOption({ label: text });
    else await field.fill(text);
  }
}

/** The last one of this label: conditions that stand before it have an operator and a value, too. */
export function fieldIn(scope: Locator, label: string): Locator {
  const by = { name: label, exact: true };
  return scope.getByRole('textbox', by).or(scope.getByRole('combobox', by)).last();
}

interface MarkedField {
  readonly ariaLabel: string | null;
  readonly labels: Iterable<{ readonly innerText: string }>;
}

/** The labels of the fields that are marked as wrong, from the top; those that are required have no star here. */
export async function markedFields(page: Page): Promise<string[]> {
  const labels = await page
    .locator('[aria-invalid="true"]')
    .evaluateAll((fields: readonly MarkedField[]) =>
      fields.map((field) => field.ariaLabel ?? [...field.labels].map(({ innerText }) => innerText).join(' ')),
    );
  return labels.map((label) => label.replace(/ *\*$/, ''));
}

/** Waits for the focus. */
export async function isFocused(field: Locator): Promise<void> {
  await eventually(async () =>
    expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true),
  );
}
