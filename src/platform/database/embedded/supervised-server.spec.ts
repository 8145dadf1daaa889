import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SupervisedServer } from './supervised-server';

const POLL_MS = 5;
/** Until one that has ended at once is seen to have, but not until the next one. */
const SEEN_MS = 100;

describe('a server that is started again when it dies', () => {
  it('is not started again once it was told to stop', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdp-supervised-'));
    const starts = join(folder, 'starts');
    const server = new SupervisedServer({
      program: '/bin/sh',
      args: ['-c', `echo started >> '${starts}'; exit 1`],
      clusterPath: folder,
      user: undefined,
      logFile: join(folder, 'log'),
      probeUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    });
    try {
      const start = server.start();
      while (!existsSync(starts)) await delay(POLL_MS);
      await delay(SEEN_MS);
      await server.stop();
      await start;
      await delay(SEEN_MS);
      expect(readFileSync(starts, 'utf8')).toBe('started\n');
    } finally {
      await server.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
