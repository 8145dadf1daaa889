import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFileDurably, makeFolderDurably, renameDurably } from './durable-files';

/** What reached the file system, in order: what is synced is named by what lies there at that moment. */
function recordCalls(): string[] {
  const calls: string[] = [];
  const opened = new Map<number, string>();
  const { openSync, fsyncSync, linkSync, renameSync } = fs;
  jest.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
    const file = openSync(path, ...rest);
    opened.set(file, String(path));
    return file;
  });
  jest.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    const path = opened.get(file) ?? '';
    const isFolder = fs.fstatSync(file).isDirectory();
    calls.push(isFolder ? `sync folder ${path}` : `sync file of ${fs.fstatSync(file).size} bytes`);
    fsyncSync(file);
  });
  jest.spyOn(fs, 'linkSync').mockImplementation((from, to) => {
    linkSync(from, to);
    calls.push(`name ${String(to)}`);
  });
  jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    renameSync(from, to);
    calls.push(`name ${String(to)}`);
  });
  return calls;
}

describe('durable files', () => {
  let folder: string;
  beforeEach(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'cdp-durable-'));
  });
  afterEach(() => {
    jest.restoreAllMocks();
    fs.rmSync(folder, { recursive: true });
  });

  it('are synced, named, and synced with their name, in this order', () => {
    const calls = recordCalls();
    const path = join(folder, 'secret');
    createFileDurably(path, '12345');
    expect(calls).toEqual(['sync file of 5 bytes', `name ${path}`, `sync folder ${folder}`]);
    expect(fs.readFileSync(path, 'utf8')).toBe('12345');
    expect(fs.statSync(path).mode & 0o777).toBe(0o600);
    expect(fs.readdirSync(folder)).toEqual(['secret']);
  });

  it('never replace one that another process has made', () => {
    const path = join(folder, 'secret');
    createFileDurably(path, 'first');
    expect(() => createFileDurably(path, 'second')).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(fs.readFileSync(path, 'utf8')).toBe('first');
    expect(fs.readdirSync(folder)).toEqual(['secret']);
  });

  it('have their new name on disk after a rename, too, and each folder that is made for them', () => {
    const calls = recordCalls();
    makeFolderDurably(join(folder, 'a', 'b'));
    makeFolderDurably(join(folder, 'a', 'b'));
    renameDurably(join(folder, 'a', 'b'), join(folder, 'c'));
    expect(calls).toEqual([
      `sync folder ${join(folder, 'a')}`,
      `sync folder ${folder}`,
      `name ${join(folder, 'c')}`,
      `sync folder ${folder}`,
    ]);
  });
});
