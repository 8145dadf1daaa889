import { MAX_RESULT_LENGTH } from './sandbox-limits';

/** The name of an operator's code in the traces of errors. */
export const CODE_NAME = 'transformation.js';

/**
 * Runs in the engine before any code of an operator. It takes away what could tell one run from another, and returns
 * the three functions that the host calls:
 *
 * - `accept(namespace)` keeps what a module exports; returns what is wrong with it, or ''
 * - `call(args)` calls `transform` with the JSON text of its arguments; returns `=` and the JSON of its result, `!` and
 *   what is wrong with that, or `?` when it looked into its second argument and that is null: so it is given only to
 *   those who need it. As a call leaves nothing behind, it can be made again
 * - `describe(error)` returns the JSON of `[message, stack]`
 *
 * It keeps what it needs before an operator's code can replace it. Such code could only hurt itself: what it changes is
 * gone with the next call.
 */
export const PRELUDE = `(() => {
  'use strict';
  const { parse, stringify } = JSON;
  const { construct, apply } = Reflect;
  const { defineProperty, prototype } = Object;
  const toText = prototype.toString;
  const PromiseOf = Promise;
  const TextOf = String;
  const ProxyOf = Proxy;
  let transform;

  const refuse = (what) => () => {
    throw new Error(what + ' is not available: a transformation gives the same result on each try');
  };
  Math.random = refuse('Math.random');
  const HostDate = Date;
  HostDate.now = refuse('Date.now');
  globalThis.Date = new Proxy(HostDate, {
    apply: refuse('The time'),
    construct: (target, args, newTarget) =>
      args.length === 0 ? refuse('The time')() : construct(target, args, newTarget),
  });
  defineProperty(HostDate.prototype, 'constructor', { value: globalThis.Date });
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WeakRef', 'FinalizationRegistry', 'performance'])
    delete globalThis[name];

  const kindOf = (value) => apply(toText, value, []);
  const answerOf = (result) => {
    if (result === undefined) return '!transform returned undefined: return an event, or null for none';
    if (result instanceof PromiseOf) return '!transform returned a promise: it has to return its result';
    let json;
    try {
      json = stringify(result);
    } catch (error) {
      return '!What transform returned is no JSON: ' + TextOf(error?.message ?? error);
    }
    if (typeof json !== 'string') return '!What transform returned is no JSON';
    if (json.length > ${MAX_RESULT_LENGTH}) return '!What transform returned is too large';
    return '=' + json;
  };
  return [
    (namespace) => {
      if (namespace instanceof PromiseOf) return 'await is not available at the top of a transformation';
      transform = namespace.transform;
      if (typeof transform !== 'function') return 'The code does not export a function named transform';
      if (kindOf(transform) !== '[object Function]')
        return 'transform is async or a generator: it has to return its result';
      return '';
    },
    (args) => {
      const values = parse(args);
      let asked = false;
      if (values[1] === null) {
        const ask = () => {
          asked = true;
          throw new Error('It is asked for');
        };
        values[1] = new ProxyOf({}, new ProxyOf({}, { get: ask }));
      }
      try {
        const answer = answerOf(apply(transform, undefined, values));
        return asked ? '?' : answer;
      } catch (error) {
        if (asked) return '?';
        throw error;
      }
    },
    (error) => {
      try {
        const isError = typeof error === 'object' && error !== null;
        const message = isError && 'message' in error ? error.name + ': ' + error.message : TextOf(error);
        return stringify([message, isError ? TextOf(error.stack) : '']);
      } catch {
        return stringify(['It threw something that has no text', '']);
      }
    },
  ];
})()`;
