import { createRequire } from 'node:module';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BootError } from '../platform/boot/boot-error';
import type { Connector } from './connector';
import { connectorSchema } from './connector-schema';

/** Those that are always there. */
const BUILT_IN = ['webhook', 's3-export'];
const ID = /^[a-z][a-z0-9-]{0,62}$/;

/**
 * Loads connectors by package name or by path, both as seen from `directory`. A module exports one connector, or an
 * array of them, as `connector`, `connectors` or default; a class is made into an object.
 *
 * @throws BootError that names the module and what is wrong with it.
 */
export async function loadConnectors(specifiers: readonly string[], directory: string): Promise<Connector[]> {
  const loaded: Connector[] = [];
  for (const specifier of specifiers) {
    try {
      const exported = exportedConnectors(await load(specifier, directory));
      for (const one of exported) loaded.push(unlike([...BUILT_IN, ...loaded.map(({ id }) => id)], one));
    } catch (error) {
      throw new BootError(`CDP_CONNECTORS: the connector "${specifier}" cannot be used: ${reasonOf(error)}`);
    }
  }
  return loaded;
}

async function load(specifier: string, directory: string): Promise<Record<string, unknown>> {
  const isPath = specifier.startsWith('.') || isAbsolute(specifier);
  const from = createRequire(join(directory, 'connectors'));
  const file = find(isPath ? resolve(directory, specifier) : specifier, from);
  if (file === undefined) {
    throw new Error(
      isPath
        ? `there is no module at ${resolve(directory, specifier)} (is it built?)`
        : `there is no such package in ${join(directory, 'node_modules')} or the folders above`,
    );
  }
  return (await import(pathToFileURL(file).href)) as Record<string, unknown>;
}

function find(request: string, from: NodeJS.Require): string | undefined {
  try {
    return from.resolve(request);
  } catch (error) {
    if (asRecord(error).code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** One line: what Node adds to its messages are the files of this service. */
function reasonOf(error: unknown): string {
  const { name, message } = asRecord(error);
  const text = typeof message === 'string' ? message : String(error);
  const line = text.split('\n')[0] ?? '';
  return typeof name === 'string' && name !== 'Error' ? `${name}: ${line}` : line;
}

function unlike(taken: readonly string[], exported: unknown): Connector {
  const connector = toConnector(exported);
  if (taken.includes(connector.id))
    throw new Error(`there is another connector with the id "${connector.id}"`);
  return connector;
}

function exportedConnectors(module: Record<string, unknown>): unknown[] {
  // A CommonJS module that was imported has its exports in its default.
  const inner = asRecord(module.default);
  const found =
    module.connectors ??
    module.connector ??
    inner.connectors ??
    inner.connector ??
    inner.default ??
    (typeof module.default === 'function' || Array.isArray(module.default) || 'id' in inner
      ? module.default
      : undefined);
  if (found === undefined)
    throw new Error('it exports no connector (named connector, connectors or default)');
  return Array.isArray(found) ? found : [found];
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function toConnector(exported: unknown): Connector {
  const candidate: unknown =
    typeof exported === 'function' ? new (exported as new () => unknown)() : exported;
  if (typeof candidate !== 'object' || candidate === null) throw new Error('what it exports is no connector');
  const connector = candidate as Partial<Record<string, unknown>>;
  const { id, name, configClass, secretFields } = connector;
  if (typeof id !== 'string' || !ID.test(id)) {
    throw new Error('its id must be lower case letters, digits and dashes, and start with a letter');
  }
  if (typeof name !== 'string' || name === '') throw new Error('it has no name');
  if (typeof configClass !== 'function') throw new Error('it has no configClass');
  if (!Array.isArray(secretFields))
    throw new Error('its secretFields must be an array (of none, if need be)');
  const isBatched = typeof connector.sendBatch === 'function';
  if (!isBatched && typeof connector.send !== 'function')
    throw new Error('it has neither send nor sendBatch');
  if (isBatched && typeof connector.batchLimits !== 'function')
    throw new Error('a connector with sendBatch has batchLimits, too');
  if (isBatched && connector.batchIsRequest !== true && typeof connector.checkAccess !== 'function')
    throw new Error('a connector with sendBatch has checkAccess, or says batchIsRequest');
  const complete = candidate as Connector;
  const known = Object.keys(connectorSchema(complete).properties ?? {});
  if (known.length === 0) throw new Error('its configClass has no member with class-validator decorators');
  const unknown = secretFields.filter((field) => !known.includes(String(field).split('.')[0] ?? ''));
  if (unknown.length > 0)
    throw new Error(`its configClass has no ${unknown.join(', ')}, which secretFields names`);
  return complete;
}
