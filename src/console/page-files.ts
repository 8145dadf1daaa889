import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

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

/**
 * Reads the files of the page, by their names below its folder. They are kept in memory, compressed: a running service
 * reads nothing of `dist/`.
 */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  if (!existsSync(FOLDER)) return new Map();
  const paths = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined)
    .map(({ parentPath, name }) => join(parentPath, name));
  return new Map(paths.map((path) => [relative(FOLDER, path), readPageFile(path)]));
}

function readPageFile(path: string): PageFile {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  return { type, gzipped: gzipSync(readFileSync(path), { level: constants.Z_BEST_COMPRESSION }) };
}
