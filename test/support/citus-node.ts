import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SCRIPT = join(__dirname, '..', '..', 'scripts', 'citus.mjs');
const run = promisify(execFile);

/** A node of a Citus on this machine, which tests kill and start again. */
export class CitusNode {
  constructor(private readonly url: string) {}

  /** Ends it as a crash would. @returns starts it again; resolves when it answers */
  async kill(): Promise<() => Promise<void>> {
    const { stdout } = await run(process.execPath, [SCRIPT, 'kill', this.url]);
    return async () => void (await run(process.execPath, [SCRIPT, 'revive', this.url, stdout.trim()]));
  }
}
