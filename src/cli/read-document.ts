import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parse, YAMLError } from 'yaml';
import { BootError } from '../platform/boot/boot-error';
import type { ClientEnvironment } from '../platform/config/client-environment';

interface ReadDocument {
  readonly document: unknown;
  /** Variables that the document refers to and that are not set: their references are left as they are. */
  readonly unset: readonly string[];
}

/** The document in the file of a command; who runs it is told what is not set. @throws BootError when it cannot be read. */
export async function readGiven(file: string, environment: ClientEnvironment): Promise<unknown> {
  const { document, unset } = await readDocument(file, (name) => environment.lookUp(name));
  if (unset.length > 0) {
    process.stderr.write(
      `Not set: ${unset.join(', ')}. Secrets that a destination already has stay, anything else needs them.\n`,
    );
  }
  return document;
}

/** Reads YAML or JSON and replaces `${env:NAME}` in its texts. @throws BootError when it cannot be read. */
async function readDocument(
  file: string,
  lookUp: (name: string) => string | undefined,
): Promise<ReadDocument> {
  const unset = new Set<string>();
  const resolve = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replaceAll(/\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g, replace);
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member)]));
  };
  const replace = (reference: string, name: string): string => {
    const found = lookUp(name);
    if (found === undefined) unset.add(name);
    return found ?? reference;
  };
  const document = resolve(parseText(await readText(file), file));
  if (document === null || document === undefined) {
    throw new BootError(
      `${file} is empty: a document starts with \`version: 1\`, and \`cdp export\` prints one.`,
    );
  }
  return { document, unset: [...unset] };
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
    return parse(source, { schema: 'core', maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof YAMLError) throw new BootError(`${file} is neither YAML nor JSON: ${error.message}`);
    throw error;
  }
}
