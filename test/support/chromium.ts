import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/** The shell comes first: it draws pages without the windows of a browser around them. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
];

const ARGUMENTS = [
  // Containers run tests as root, and then there is no sandbox.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  // Nobody looks: without a graphics card, a process that imitates one takes a core.
  '--disable-gpu',
  '--disable-gpu-rasterization',
  '--disable-extensions',
  '--disable-smooth-scrolling',
];

/** A Chromium on the PATH; nothing is downloaded. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) =>
    existsSync(path),
  );
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS });
}
