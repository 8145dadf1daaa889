// A tab of the console in a browser that is there already; nothing is downloaded.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

/** Opens the console, logged in through its form as whoever has the token. */
export async function openConsole({ url, token }, viewport) {
  // Containers run this as root, and then there is no sandbox.
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport, colorScheme: 'light', reducedMotion: 'reduce' });
    await page.goto(`${url}/login?to=/console/overview`);
    await page.fill('#token', token);
    await page.click('button');
    await page.getByRole('heading', { level: 1 }).waitFor();
    return { page, close: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

function findChromium() {
  const paths = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = paths.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`None of ${NAMES.join(', ')} is on the PATH.`);
  return found;
}
