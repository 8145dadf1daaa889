import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ConsoleHarness } from './harness';

/** What one page promises: a file of `pages/`, whose default export registers its tests. */
type PageTests = (harness: ConsoleHarness) => void;

const PAGES = join(__dirname, 'pages');
const withBrowser = ConsoleHarness.isPossible() ? describe : describe.skip;

// One file for Jest, so that all pages share one service and one browser.
withBrowser('the console (skipped when there is no chromium on the PATH)', () => {
  const harness = new ConsoleHarness();
  beforeAll(() => harness.start(), 180_000);
  afterEach(() => harness.settle());
  afterAll(() => harness.stop());

  for (const file of readdirSync(PAGES).toSorted()) {
    // oxlint-disable-next-line typescript/no-require-imports -- every page that has tests, whichever there are.
    const { default: registerTests } = require(join(PAGES, file)) as { default: PageTests };
    describe(file.replace(/\.ts$/, ''), () => registerTests(harness));
  }
});
