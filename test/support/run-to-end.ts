import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** How a process ended, and all that it wrote. */
export interface Ended {
  readonly code: unknown;
  readonly output: string;
  readonly errors: string;
}

/** Runs a script with Node.js, with nothing but these variables, while this process goes on serving it. */
export async function runToEnd(
  script: string,
  args: readonly string[],
  { input = '', env = {}, cwd }: { input?: string; env?: Record<string, string>; cwd?: string } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, [script, ...args], { env, cwd });
  // A process that ends without reading its input is judged by what it wrote.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, output, errors };
}
