import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { BootError } from '../platform/boot/boot-error';
import type { ClientEnvironment } from '../platform/config/client-environment';
import { parseYaml } from '../platform/http/input/parse-yaml';
import { InvalidRequestError } from '../platform/http/problems/problem';
import { linesOf } from './client-failure';

/** Of files of one's own: more than a stranger may send. */
const MAX_ALIASES = 10_000;

/** Reads YAML or JSON. @throws BootError when it cannot be read. */
export async function readDocument(file: string): Promise<unknown> {
  const document = parseText(await readText(file), file);
  if (document !== null && document !== undefined) return document;
  throw new BootError(
    `${file} is empty: a document starts with \`version: 1\`, and \`cdp export\` prints one.`,
  );
}

/** What a file says. */
export interface Given {
  readonly document: unknown;
  /** The variables that it refers to and that are not set: their references are left as they are. */
  readonly unset: readonly string[];
}

/** Reads YAML or JSON and replaces `${env:NAME}` in its texts. @throws BootError when it cannot be read. */
export async function readGiven(file: string, environment: ClientEnvironment): Promise<Given> {
  const unset = new Set<string>();
  const replace = (reference: string, name: string): string => {
    const found = environment.lookUp(name);
    if (found === undefined) unset.add(name);
    return found ?? reference;
  };
  const resolve = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, replace);
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]));
  };
  return { document: resolve(await readDocument(file)), unset: [...unset] };
}

async function readText(file: string): Promise<string> {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new BootError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parseText(source: string, file: string): unknown {
  try {
    return parseYaml(source, MAX_ALIASES);
  } catch (error) {
    if (error instanceof InvalidRequestError) {
      throw new BootError(linesOf(`${file} is neither YAML nor JSON:`, error.errors));
    }
    throw error;
  }
}
