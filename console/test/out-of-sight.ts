import type { Page } from 'playwright-core';

/** Up to here, in pixels, the console is laid out for phones. */
const PHONE_MAX_WIDTH = 768;

/** Runs in the page. */
const OUT_OF_SIGHT = `(() => {
  const { clientWidth, scrollWidth } = document.documentElement;
  const page = scrollWidth > clientWidth ? ['The page is ' + scrollWidth + ' pixels wide.'] : [];
  if (clientWidth > ${PHONE_MAX_WIDTH}) return page;
  const isCut = (cell, title) => {
    if (cell.innerText.trim() === '') return false;
    const { left, right, height } = cell.getBoundingClientRect();
    const value = cell.firstElementChild;
    const isInside = height > 0 && left >= 0 && right <= clientWidth && value.scrollWidth <= value.clientWidth;
    return !isInside || !getComputedStyle(cell, '::before').content.startsWith(JSON.stringify(title));
  };
  const tables = [...document.querySelectorAll('table')].filter((table) => table.checkVisibility());
  return page.concat(tables.flatMap((table) => {
    const titles = [...table.querySelectorAll('th')].map((title) => title.textContent);
    const rows = [...table.querySelectorAll('tbody tr')];
    return rows.flatMap((row) =>
      [...row.cells].filter((cell, at) => isCut(cell, titles[at])).map((cell) => 'Out of sight: ' + cell.outerHTML));
  }));
})()`;

/**
 * What cannot be seen without scrolling sideways: of the page as a whole and, on a phone, values of tables and the names of
 * their columns. On wider screens a table may scroll by itself.
 */
export async function outOfSight(page: Page): Promise<string[]> {
  return (await page.evaluate(OUT_OF_SIGHT)) as string[];
}
