import Module, { register } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The name under which connectors import what this service gives them, see `exports` in package.json. */
const KIT = /^cdp-service\/(connector|testing|package\.json)$/;

/** The part of Node's CommonJS loader that is used here. */
interface CommonJsLoader {
  _resolveFilename(request: string, ...rest: unknown[]): string;
}

let isInstalled = false;

/**
 * Lets connectors find `cdp-service/connector` wherever they are: one that is installed into the folder of the
 * service itself finds no package of that name around it. What a connector brings along goes first.
 */
export function resolveKit(): void {
  if (isInstalled) return;
  isInstalled = true;
  const loader = Module as unknown as CommonJsLoader;
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (request, ...rest) {
    try {
      return resolve.call(this, request, ...rest);
    } catch (error) {
      if (!KIT.test(request)) throw error;
      // As seen from here: a package may name itself.
      return resolve.call(this, request, module, false);
    }
  };
  register(`data:text/javascript,${encodeURIComponent(HOOKS)}`, {
    parentURL: pathToFileURL(`${dirname(__filename)}/`),
    data: { pattern: KIT.source, parentURL: pathToFileURL(__filename).href },
  });
}

/** The same for ES modules; Node runs it in a thread of its own. */
const HOOKS = `
  let pattern, parentURL;
  export function initialize(data) {
    pattern = new RegExp(data.pattern);
    parentURL = data.parentURL;
  }
  export async function resolve(specifier, context, nextResolve) {
    try {
      return await nextResolve(specifier, context);
    } catch (error) {
      if (!pattern.test(specifier)) throw error;
      return nextResolve(specifier, { ...context, parentURL });
    }
  }`;
