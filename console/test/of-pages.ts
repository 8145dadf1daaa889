import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConsoleHarness } from './harness';

/** What one page promises: a file of `pages/`, whose default export registers its tests. */
type PageTests = (harness: ConsoleHarness) => void;

const PAGES = join(__dirname, 'pages');
/** The pages that show what happens; all others are of what is configured. */
const WHAT_HAPPENS: ReadonlySet<string> = new Set(['audit', 'events', 'overview', 'people']);
const withBrowser = ConsoleHarness.isPossible() ? describe : describe.skip;

/**
 * The tests of half of the pages, which share one service and one browser. Two halves, so that Jest runs them beside each
 * other.
 */
export function testPages(half: 'what happens' | 'what is configured'): void {
  withBrowser(`the console: ${half} (skipped when there is no chromium on the PATH)`, () => {
    const harness = new ConsoleHarness();
    beforeAll(() => harness.start(), 180_000);
    afterEach(() => harness.settle());
    afterAll(() => harness.stop());

    const pages = readdirSync(PAGES).map((file) => file.replace(/\.ts$/, ''));
    for (const page of pages.toSorted()) {
      if (WHAT_HAPPENS.has(page) !== (half === 'what happens')) continue;
      // oxlint-disable-next-line typescript/no-require-imports -- every page that has tests, whichever there are.
      const { default: registerTests } = require(join(PAGES, page)) as { default: PageTests };
      describe(page, () => registerTests(harness));
    }
  });
}
