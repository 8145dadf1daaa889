import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SupervisedServer } from './supervised-server';

describe('a server that is started again when it dies', () => {
  it('is not started any more once it was told to stop', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdp-supervised-'));
    // Opened for each that is launched.
    const logFile = join(folder, 'log');
    const server = new SupervisedServer({
      program: '/bin/false',
      args: [],
      clusterPath: folder,
      user: undefined,
      logFile,
      probeUrl: 'postgres://nobody@127.0.0.1:1/nothing',
    });
    try {
      await server.stop();
      await server.start();
      expect(existsSync(logFile)).toBe(false);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
