import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processesIn } from './running-process';

const onLinux = process.platform === 'linux' ? it : it.skip;

describe('the processes of a program in a folder', () => {
  onLinux('are found also when an update has removed or replaced the program', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cdp-processes-'));
    const program = join(folder, 'program');
    copyFileSync(process.execPath, program);
    const running = spawn(program, ['-e', 'process.stdin.resume()'], { cwd: folder });
    const exit = once(running, 'exit');
    try {
      await once(running, 'spawn');
      expect(processesIn(folder, 'program')).toEqual([running.pid]);
      expect(processesIn(folder, 'gram')).toEqual([]);
      expect(processesIn(tmpdir(), 'program')).toEqual([]);
      rmSync(program);
      expect(processesIn(folder, 'program')).toEqual([running.pid]);
    } finally {
      running.kill('SIGKILL');
      await exit;
      rmSync(folder, { recursive: true });
    }
  });
});
