import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

/** Where the build puts the page; the same from src and from dist. */
const FOLDER = join(__dirname, '../../dist/page');

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** A file as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly gzipped: Buffer;
}

/** What the build appends to the name of each file. */
const COMPRESSED = '.gz';

/**
 * Reads the files of the page, by their names below its folder. They are kept in memory, compressed: a running service
 * reads nothing of `dist/`.
 */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  if (!existsSync(FOLDER)) return files;
  for (const path of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith(COMPRESSED)) continue;
    const name = path.slice(0, -COMPRESSED.length);
    const type = TYPES[extname(name)];
    if (type !== undefined) files.set(name, { type, gzipped: readFileSync(join(FOLDER, path)) });
  }
  return files;
}
