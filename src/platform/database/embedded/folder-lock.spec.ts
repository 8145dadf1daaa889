import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { lockFolder } from './folder-lock';

const holder = z.looseObject({ pid: z.int() });
/** No process has such an id. */
const NOBODY = 2 ** 30;

describe('the lock of the data folder', () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cdp-lock-'));
    file = join(folder, 'postgres.lock');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const read = (): object => holder.parse(JSON.parse(readFileSync(file, 'utf8')));
  const change = (members: object): void => writeFileSync(file, JSON.stringify({ ...read(), ...members }));

  it('is of one process until it lets go', async () => {
    const release = await lockFolder(file);
    await expect(lockFolder(file)).rejects.toThrow(`used by another service (process ${process.pid})`);
    release();
    expect(existsSync(file)).toBe(false);
  });

  it('of a process that is gone, or that was cut off when it was killed, does not count', async () => {
    (await lockFolder(file))();
    for (const left of [JSON.stringify({ pid: NOBODY, startTime: '1' }), '{"pid":']) {
      writeFileSync(file, left);
      const release = await lockFolder(file);
      expect(read()).toMatchObject({ pid: process.pid });
      release();
    }
  });

  it('of another container counts as long as its holder shows that it lives, whatever process has its id here', async () => {
    const release = await lockFolder(file);
    change({ pid: NOBODY, place: 'another container' });
    await expect(lockFolder(file)).rejects.toThrow('in another container or on another machine');
    release();
  });

  it('of another container that shows nothing any more does not count, although a process has its id here', async () => {
    (await lockFolder(file))();
    writeFileSync(file, JSON.stringify({ pid: process.pid, place: 'another container' }));
    const release = await lockFolder(file, { silenceMs: 200 });
    expect(read()).not.toMatchObject({ place: 'another container' });
    release();
  });

  it('of a holder that is gone goes to one of those who wait for it', async () => {
    (await lockFolder(file))();
    writeFileSync(file, JSON.stringify({ pid: NOBODY, place: 'another container' }));
    const asked = await Promise.allSettled(
      Array.from({ length: 5 }, () => lockFolder(file, { silenceMs: 300 })),
    );
    const got = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(got).toHaveLength(1);
    expect(read()).toMatchObject({ pid: process.pid });
    got[0]?.();
    expect(readdirSync(folder)).toEqual([]);
  });
});
