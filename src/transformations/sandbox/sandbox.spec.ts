import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildService } from '../../../test/support/built-service';
import { Sandbox } from './sandbox';
import { LOOK_MS, MAX_CPU_MS } from './sandbox-limits';
import type { SandboxResult } from './sandbox-result';

const EVENT = { type: 'track', event: 'Order Completed', properties: { total: 5, items: [{ id: 1 }] } };

/** For a process of its own: twenty times as often, so that a thread has more than a second to start. */
const LOOKS_COME_OFTEN = `
  const { setInterval } = globalThis;
  globalThis.setInterval = (look, everyMs) => setInterval(look, everyMs / 20);`;

/** So that small things use up the rest before a busy machine makes the last resort, which is a time, act. */
const MOST_IS_TAKEN = 'const taken = "x".repeat(12e6);';

describe('the sandbox of transformations', () => {
  let sandbox: Sandbox;
  beforeAll(() => {
    buildService();
    sandbox = new Sandbox();
  });
  afterAll(() => sandbox.onModuleDestroy());

  const run = (text: string, ...args: unknown[]): Promise<SandboxResult> =>
    sandbox.run({ id: text, text }, JSON.stringify(args.length === 0 ? [EVENT] : args));
  /** Of the body of a function. */
  const result = async (body: string, ...args: unknown[]): Promise<unknown> => {
    const answer = await run(`export function transform(event, context) { ${body} }`, ...args);
    return 'json' in answer ? (JSON.parse(answer.json) as unknown) : answer;
  };
  const failing = (kind: string, message = /./): unknown => ({
    failure: expect.objectContaining({ kind, message: expect.stringMatching(message) }),
  });

  describe('calls transform', () => {
    it('with what it is given, and answers what it returns', async () => {
      expect(
        await result('return { ...event, sum: event.properties.total + context.plus }', EVENT, { plus: 2 }),
      ).toEqual({
        ...EVENT,
        sum: 7,
      });
      expect(await result('return null')).toBeNull();
      expect(await result('return [event, event]')).toEqual([EVENT, EVENT]);
    });

    it('in the JavaScript of today, in several lines and functions', async () => {
      const text = `
        const rates = new Map([['EUR', 1.1]]);
        const cents = (value) => Math.round(value * 100);
        export const transform = (event) => ({
          name: event.event?.toLowerCase() ?? 'none',
          cents: cents(event.properties.total * rates.get('EUR')),
          at: new Date('2026-11-23T10:00:00+02:00').toISOString(),
          local: new Date('2026-11-23T10:00:00Z').getHours(),
        });`;
      expect(await run(text)).toEqual({
        json: '{"name":"order completed","cents":550,"at":"2026-11-23T08:00:00.000Z","local":10}',
      });
    });

    it.each([
      'return context.profile',
      'return { ...context }',
      'return context',
      'return "profile" in context',
      'return Object.keys(context)',
      'return { toJSON: () => context.segments }',
      'try { context.profile } catch {} return 1',
      'return ((event, { profile }) => profile)(event, context)',
    ])('and says when it looks at what it has not got yet: %s', async (body) => {
      expect(await result(body, EVENT, null)).toEqual({ asks: true });
      const given = { profile: { traits: {} }, segments: [] };
      expect(await result(body, EVENT, given)).not.toEqual({ asks: true });
    });

    it('and says nothing when it does not look', async () => {
      expect(await result('return typeof context', EVENT, null)).toBe('object');
      expect(await result('return { event, known: context !== null }', EVENT, null)).toMatchObject({
        known: true,
      });
      expect(await result('return typeof context', EVENT)).toBe('undefined');
      expect(await result('throw new Error("no")', EVENT, null)).toEqual(failing('threw', /no/));
    });

    it('and says in which line it threw', async () => {
      const text =
        'const total = (event) => event.nothing.there;\n\nexport function transform(event) {\n  return total(event);\n}';
      expect(await run(text)).toEqual({
        failure: { kind: 'threw', message: expect.stringContaining('TypeError'), line: 1 },
      });
      expect(await result('throw "text"')).toEqual(failing('threw', /text/));
    });
  });

  describe('refuses code', () => {
    it.each([
      ['that is none', 'export function transform( {', /SyntaxError/],
      ['without the function', 'export const transfrom = () => 1;', /export a function named transform/],
      ['whose transform is none', 'export const transform = 5;', /export a function named transform/],
      ['whose transform is async', 'export async function transform(event) { return event; }', /async/],
      ['whose transform is a generator', 'export function* transform(event) { yield event; }', /generator/],
      ['that waits while it is loaded', 'await 1; export const transform = (event) => event;', /await/],
      ['that imports', 'import fs from "node:fs"; export const transform = (event) => event;', /./],
      ['that throws while it is loaded', 'throw new Error("no");', /no/],
    ])('%s', async (_, text, message) => {
      expect(await run(text)).toEqual(failing('syntax', message));
    });
  });

  describe('has nothing', () => {
    it.each([
      ['of the time', 'Date.now()'],
      ['of the time', 'new Date()'],
      ['of the time', 'Date()'],
      ['of the time', 'new (new Date(0).constructor)()'],
      ['of the time', 'Reflect.construct(Date, [])'],
      ['of chance', 'Math.random()'],
      ['to import with', 'require("fs")'],
      ['to ask with', 'fetch("http://127.0.0.1")'],
      ['to wait with', 'setTimeout(() => 1)'],
      ['of the process', 'process.env'],
      ['of the threads', 'new SharedArrayBuffer(1)'],
      ['of the threads', 'Atomics.load'],
      ['of another engine', 'WebAssembly.Module'],
      ['of the host behind its functions', 'event.constructor.constructor("return process")()'],
      ['of what is collected', 'new WeakRef({})'],
    ])('%s: %s', async (_, expression) => {
      expect(await result(`return ${expression}`)).toEqual(failing('threw'));
    });

    it('that a subclass of Date would tell', async () => {
      expect(await result('class Later extends Date {} return new Later().getTime()')).toEqual(
        failing('threw'),
      );
    });

    it.each(['UTC', 'America/New_York', 'Asia/Kathmandu'])('of the zone of the host: %s', (zone) => {
      const text = `export const transform = () => [
        new Date('2026-07-01T00:00:00').getTime(),
        new Date(2026, 6, 1).getTime(),
        new Date(0).getTimezoneOffset(),
        String(new Date(0)),
        new Date(0).toLocaleString(),
      ]`;
      expect(JSON.parse(inProcess(text, { zone })) as unknown).toEqual([
        Date.UTC(2026, 6, 1),
        Date.UTC(2026, 6, 1),
        0,
        'Thu Jan 01 1970 00:00:00 GMT+0000',
        '01/01/1970, 12:00:00 AM',
      ]);
    });
  });

  describe('begins each call anew', () => {
    it.each([
      ['variables', 'let n = 0; export const transform = () => ++n;'],
      [
        'members of its function',
        'export function transform() { transform.n = (transform.n ?? 0) + 1; return transform.n; }',
      ],
      ['the global object', 'export const transform = () => (globalThis.n = (globalThis.n ?? 0) + 1);'],
      [
        'prototypes',
        'export const transform = () => { Object.prototype.n = (({}).n ?? 0) + 1; const { n } = {}; return n; };',
      ],
      [
        'the order of hashes',
        'const seen = new Map(); export const transform = () => { seen.set(seen.size, 1); return seen.size; };',
      ],
    ])('whatever was done to %s', async (_, text) => {
      for (let call = 0; call < 3; call += 1) expect(await run(text)).toEqual({ json: '1' });
    });

    it.each([
      [
        'much',
        'const big = new Uint8Array(12e6).fill(7); export const transform = () => (big[0] += 1) + big.length;',
      ],
      [
        'more than an engine begins with',
        'const all = []; for (let i = 0; i < 12e5; i += 1) all.push(i); export const transform = () => all.push(1);',
      ],
    ])('where code made %s while it was loaded', async (_, text) => {
      const answers = [await run(text), await run(text), await run(text)];
      expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    });

    it('whatever other code did, failed or not', async () => {
      const text =
        'export const transform = (event) => JSON.stringify([event, ({}).evil, Object.keys(globalThis).length]);';
      const before = await run(text);
      await result('Object.prototype.evil = 1; Array.prototype.map = null; JSON.stringify = null; return 1');
      await result('globalThis.JSON = undefined; Object.prototype.toJSON = () => "evil"; throw 1');
      await result('for (;;) globalThis.evil = [globalThis.evil]');
      expect(await run(text)).toEqual(before);
      const other = new Sandbox();
      expect(await other.run({ id: text, text }, JSON.stringify([EVENT]))).toEqual(before);
      await other.onModuleDestroy();
    });
  });

  describe('ends what takes too much', () => {
    it.each([
      ['timed_out', 'for (;;);'],
      ['timed_out', 'for (;;) try { for (;;); } catch {} finally { continue; }'],
      ['timed_out', 'return { get x() { for (;;); } }'],
      ['timed_out', 'return { toJSON() { for (;;); } }'],
      ['timed_out', 'return new Proxy({}, { ownKeys() { for (;;); } })'],
      ['timed_out', 'return /^(a+)+$/.test("a".repeat(50) + "b")'],
      ['timed_out', 'throw { get message() { for (;;); } }'],
      ['timed_out', 'return [1, 2].sort(() => { for (;;); })'],
      ['out_of_memory', 'return "x".repeat(1e9)'],
      ['out_of_memory', 'let s = "x"; for (;;) s += s;'],
      ['out_of_memory', 'return new Uint8Array(1e9)'],
      ['out_of_memory', `${MOST_IS_TAKEN} const all = []; for (;;) all.push({ all });`],
      [
        'out_of_memory',
        `${MOST_IS_TAKEN} const all = [];
        for (let i = 0; i < 1e6; i += 1) all.push(Promise.resolve(i).then(() => i)); return taken.length`,
      ],
      ['threw', 'const deep = () => deep() + 1; return deep()'],
      ['threw', 'let nested = "["; return JSON.parse(nested.repeat(1e5))'],
    ])('%s: %s', async (kind, body) => {
      expect(await result(body)).toEqual(failing(kind));
      expect(await result('return 1')).toBe(1);
    });

    it('without promises that start promises for ever: none of them runs', async () => {
      expect(await result('const again = () => Promise.resolve().then(again); again(); return 1')).toBe(1);
    });

    it('by the time it runs where nothing counts, and goes on with other code meanwhile and afterwards', async () => {
      const slow = result(
        'const s = "a".repeat(4e6); for (let i = 0; i < 1e5; i += 1) s.indexOf("b"); return 1',
      );
      expect(await slow).toEqual(failing('timed_out'));
      expect(await result('return 2')).toBe(2);
    }, 60_000);

    it('without keeping a code waiting for many that nobody knows yet and that take too long', async () => {
      const other = new (class extends Sandbox {
        protected override readonly maxThreads = 1;
      })();
      const ended: string[] = [];
      const start = async (name: string, body: string): Promise<void> => {
        await other.run({ id: name, text: `export const transform = () => { ${body} }` }, '[]');
        ended.push(name);
      };
      const calls = ['one', 'two', 'three'].map((name) =>
        start(name, 'const s = "a".repeat(4e6); for (;;) s.indexOf("b");'),
      );
      await Promise.all([...calls, start('harmless', 'return 1')]);
      expect(ended[0]).toBe('harmless');
      expect(ended).toHaveLength(4);
      await other.onModuleDestroy();
    }, 120_000);

    it('alone, of calls that are made together', async () => {
      const body = `
        const s = 'a'.repeat(4e6);
        for (let i = 0; i < event.searches; i += 1) s.indexOf('b');
        return event.searches`;
      await Promise.all(Array.from({ length: 50 }, () => result(body, { searches: 0 })));
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => result(body, { searches: n === 7 ? 1e5 : 0 })),
      );
      expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => (n === 7 ? failing('timed_out') : 0)));
    }, 60_000);

    it('not because the process stood still for longer than that', async () => {
      await result('return 1');
      const answer = result('return 2');
      standStill(MAX_CPU_MS + LOOK_MS);
      expect(await answer).toBe(2);
    });

    it('not because a thread takes longer than that to start', () => {
      const waitMs = MAX_CPU_MS + LOOK_MS;
      const first = inProcess('export const transform = () => "late";', {
        preload: `if (!require('node:worker_threads').isMainThread)
           Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${waitMs});`,
      });
      expect(first).toBe('"late"');
    }, 60_000);

    // Elsewhere nobody says how long a thread has run.
    (process.platform === 'linux' ? it : it.skip)(
      'not because the thread gets no processor for longer than that',
      () => {
        const answer = inProcess('export const transform = () => "late";', {
          preload: `
            const { isMainThread, parentPort } = require('node:worker_threads');
            if (!isMainThread) {
              const post = parentPort.postMessage.bind(parentPort);
              parentPort.postMessage = (message) => {
                if (Array.isArray(message))
                  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${(MAX_CPU_MS + LOOK_MS) / 10});
                post(message);
              };
            }
            ${LOOKS_COME_OFTEN}`,
        });
        expect(answer).toBe('"late"');
      },
      60_000,
    );

    it.each([
      ['has no such file', 'fs.readlinkSync = () => { throw new Error("no"); };'],
      [
        'counts nothing',
        `const { readFileSync } = fs;
         fs.readFileSync = (path, ...options) =>
           String(path).endsWith('/schedstat') ? '0 0 0\\n' : readFileSync(path, ...options);`,
      ],
    ])(
      'nor goes on for ever where the system %s that says how long a thread has run',
      (_, hiding) => {
        const text = `
          const [text, sought] = ["a".repeat(2e6), "a".repeat(1e6) + "b"];
          export const transform = () => { while (true) text.indexOf(sought); };`;
        const answer = inProcess(text, {
          preload: `const fs = require('node:fs'); ${hiding} ${LOOKS_COME_OFTEN}`,
        });
        expect(answer).toMatch(/timed_out/);
      },
      60_000,
    );

    it.each([
      [
        'cannot be made',
        `require('node:worker_threads').Worker = class { constructor() { throw new Error('no'); } };`,
      ],
      ['cannot start', `if (!require('node:worker_threads').isMainThread) throw new Error('no memory');`],
      [
        'never starts',
        `const { isMainThread, parentPort } = require('node:worker_threads');
         if (!isMainThread) parentPort.postMessage = () => undefined;
         ${LOOKS_COME_OFTEN}`,
      ],
      [
        'never answers',
        `const { isMainThread, parentPort } = require('node:worker_threads');
         if (!isMainThread) {
           const post = parentPort.postMessage.bind(parentPort);
           parentPort.postMessage = (message) => Array.isArray(message) || post(message);
         }
         ${LOOKS_COME_OFTEN}`,
      ],
    ])(
      'by no fault of the code where a thread %s',
      (_, preload) => {
        expect(inProcess('export const transform = () => 1;', { preload })).toMatch(
          /^DependencyDownError: /m,
        );
      },
      60_000,
    );
  });

  describe('refuses a result', () => {
    it.each([
      ['undefined', 'return undefined'],
      ['a promise', 'return Promise.resolve(event)'],
      ['a function', 'return () => 1'],
      ['a big integer', 'return { n: 10n }'],
      ['a circle', 'event.event = event; return event'],
      ['more than a megabyte', 'return "x".repeat(2e6)'],
    ])('that is %s', async (_, body) => {
      expect(await result(body)).toEqual(failing('bad_result'));
    });

    it('never, where JSON has a way to say it', async () => {
      expect(await result('return { nan: NaN, infinite: Infinity, none: undefined, sparse: [, 1] }')).toEqual(
        {
          nan: null,
          infinite: null,
          sparse: [null, 1],
        },
      );
      const text =
        'return { lone: "\\ud800", nul: "a\\u0000b", proto: JSON.parse(\'{"__proto__": {"x": 1}}\') }';
      expect(JSON.stringify(await result(text))).toBe(
        '{"lone":"\\ud800","nul":"a\\u0000b","proto":{"__proto__":{"x":1}}}',
      );
    });
  });

  it('takes many calls at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 500 }, (_, n) => result('return { n: event.n, of: context }', { n }, n % 7)),
    );
    expect(answers).toEqual(Array.from({ length: 500 }, (_, n) => ({ n, of: n % 7 })));
  });
});

/** What a code returns in a process of its own. @param preload runs first in each of its threads */
function inProcess(
  text: string,
  { preload = '', zone = 'UTC' }: { preload?: string; zone?: string },
): string {
  const file = join(__dirname, '../../../dist/transformations/sandbox/sandbox.js');
  const directory = mkdtempSync(join(tmpdir(), 'cdp-sandbox-'));
  const preloaded = join(directory, 'preload.cjs');
  writeFileSync(preloaded, preload);
  const script = `
    const { Sandbox } = require(${JSON.stringify(file)});
    new Sandbox().run({ id: 'own', text: ${JSON.stringify(text)} }, '[]').then(
      (result) => process.stdout.write(result.json ?? JSON.stringify(result)),
      (error) => process.stdout.write(error.constructor.name + ': ' + error.message),
    ).finally(() => process.exit());`;
  const env = { PATH: process.env.PATH, TZ: zone };
  const args = ['--require', preloaded, '-e', script];
  const { stdout } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
  rmSync(directory, { recursive: true });
  return stdout;
}

function standStill(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}
