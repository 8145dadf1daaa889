import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { Client } from 'pg';
import { eventually } from './eventually';

/** Recovery reads the log first; and until the last process of the killed server has gone, a new one refuses. */
const REVIVAL_MS = 60_000;

/** A node of a Citus on this machine, which tests kill and start again. */
export class CitusNode {
  constructor(private readonly url: string) {}

  /** Ends it as a crash would. @returns starts it again; resolves when it answers */
  async kill(): Promise<() => Promise<void>> {
    const { folder, pid, command } = await this.describe();
    process.kill(Number(pid.split('\n')[0]), 'SIGKILL');
    const [program = '', ...args] = command
      .trim()
      .split(' ')
      .map((part) => part.replaceAll('"', ''));
    return () =>
      eventually(async () => {
        // Connections to other nodes look for certificates in the home of whoever this is.
        const env = { PATH: process.env.PATH, HOME: folder };
        const options = { ...ownerOf(folder), env, cwd: '/', detached: true, stdio: 'ignore' } as const;
        spawn(program, args, options).unref();
        await eventually(() => this.describe(), 2_000);
      }, REVIVAL_MS);
  }

  /** What the server says of itself. */
  private async describe(): Promise<{ folder: string; pid: string; command: string }> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined); // The query says it.
    await client.connect();
    try {
      const { rows } = await client.query<{ folder: string; pid: string; command: string }>(
        `select current_setting('data_directory') as folder, pg_read_file('postmaster.pid') as pid,
           pg_read_file('postmaster.opts') as command`,
      );
      return rows[0]!;
    } finally {
      await client.end();
    }
  }
}

/** PostgreSQL runs as nobody else. */
function ownerOf(folder: string): { uid: number; gid: number } {
  const { uid, gid } = statSync(folder);
  return { uid, gid };
}
