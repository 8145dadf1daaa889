import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aToken } from '../support/a-token';
import { anApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { type Ended, runToEnd } from '../support/run-to-end';
import { startTestService, type TestService } from '../support/test-service';

const ROOT = join(__dirname, '../..');
const CDP = join(ROOT, 'dist/cli/cdp.js');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const MONEY = { type: 'number', minimum: 0 };
const SHOP = {
  name: 'Shop',
  unplannedEvents: 'observe',
  unplannedProperties: 'observe',
  rules: [
    {
      type: 'track',
      event: 'Order Completed',
      schema: {
        $defs: { money: MONEY },
        properties: {
          properties: {
            required: ['total'],
            properties: {
              total: { $ref: '#/$defs/money' },
              currency: { pattern: '^[A-Z]{3}$' },
              coupon: { type: ['string', 'null'] },
              channel: { enum: ['web', 'app'] },
              products: { items: { required: ['sku'], properties: { sku: { type: 'string' } } } },
            },
          },
        },
      },
    },
    { type: 'track', event: 'Logged In' },
    { type: 'page', event: 'Home', schema: ofProperties({ path: { type: 'string' } }, ['path']) },
    { type: 'page', schema: ofProperties({ title: { type: 'string' } }) },
    {
      type: 'identify',
      schema: { properties: { traits: { required: ['email'], properties: { email: { format: 'email' } } } } },
    },
    { type: 'group', schema: { properties: { traits: { properties: { seats: { type: 'integer' } } } } } },
  ],
};

/** What developers have switched on at most. */
const COMPILER_OPTIONS = {
  noEmit: true,
  strict: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  isolatedModules: true,
  verbatimModuleSyntax: false,
  skipLibCheck: true,
  target: 'es2022',
  module: 'nodenext',
};

/** As those of `@segment/analytics-next` and `@rudderstack/analytics-js` are called. */
const BROWSER_SDK = `
declare class Browser {
  private readonly queue: string[];
  track(event: string | object, properties?: object | null, options?: object, callback?: () => void): Promise<string>;
  page(category?: string | object, name?: string | object, properties?: object, options?: object): Promise<string>;
  identify(id?: string | object | null, traits?: object | null, options?: object): Promise<string>;
  group(id?: string | object, traits?: object, options?: object): Promise<string>;
  alias(to: string, from?: string): Promise<string>;
  reset(): void;
}`;
const BROWSER = `import { typed } from './types';${BROWSER_SDK}
const sdk = typed(null as unknown as Browser);`;
const SERVER = `import { Analytics } from '@segment/analytics-node';
import { typedServer } from './types';
const sdk = typedServer(new Analytics({ writeKey: 'x' }));
const userId = 'u-1';`;

function ofProperties(properties: object, required: readonly string[] = []): object {
  return { properties: { properties: { properties, required } } };
}

describe('cdp types', () => {
  let folder: string;

  beforeAll(() => {
    buildService();
    folder = mkdtempSync(join(tmpdir(), 'cdp-test-types-'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: COMPILER_OPTIONS, files: ['types.ts', 'use.ts'] }),
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const cdp = (plan: object, ...args: string[]): Promise<Ended> =>
    runToEnd(CDP, ['types', '-', ...args], { input: JSON.stringify(plan) });

  async function typesOf(plan: object, ...args: string[]): Promise<string> {
    const { code, output, errors } = await cdp(plan, ...args);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    return output;
  }

  /** The calls that TypeScript refuses, after a beginning in which it finds nothing. */
  async function refused(plan: object, beginning: string, calls: readonly string[]): Promise<string[]> {
    writeFileSync(join(folder, 'types.ts'), await typesOf(plan));
    writeFileSync(join(folder, 'use.ts'), [beginning.replaceAll('\n', ' '), ...calls].join('\n'));
    const { output } = await runToEnd(TSC, ['-p', folder, '--pretty', 'false']);
    // What belongs to a place goes on in lines that begin with spaces.
    const errors = output.split('\n').filter((line) => /^\S/.test(line));
    const places = errors.map((error) => /use\.ts\((\d+),\d+\): error/.exec(error)?.[1] ?? error);
    expect(places.filter((line) => !(Number(line) > 1))).toEqual([]);
    const lines = new Set(places.map(Number));
    return [...lines].map((line) => calls[line - 2] ?? `line ${line}`);
  }

  describe('in TypeScript', () => {
    it('let an SDK for browsers take what is planned', async () => {
      const right = [
        `void sdk.track('Order Completed', { total: 1 }).then((done: string) => done);`,
        `void sdk.track('Order Completed', { total: 1, currency: 'EUR', coupon: null, channel: 'app', products: [{ sku: 'x' }] }, {}, () => {});`,
        `void sdk.track('Logged In');`,
        `void sdk.track('Logged In', { how: 'with a key' });`,
        `void sdk.page('Home', { path: '/' });`,
        `void sdk.page('Shop', 'Home', { path: '/' });`,
        `void sdk.page('Another', { title: 'x' });`,
        `void sdk.page();`,
        `void sdk.identify('u-1', { email: 'a@example.com' });`,
        `void sdk.identify({ email: 'a@example.com' });`,
        `void sdk.group('g-1', { seats: 3 });`,
        `void sdk.group('g-1');`,
        `sdk.reset();`,
        `void sdk.alias('a', 'b');`,
      ];
      expect(await refused(SHOP, BROWSER, right)).toEqual([]);
    });

    it('make each call wrong that is not as planned', async () => {
      const wrong = [
        `void sdk.track('Order Completed', { total: '1' });`,
        `void sdk.track('Order Completed', { currency: 'EUR' });`,
        `void sdk.track('Order Completed');`,
        `void sdk.track('Order Completed', { total: 1, channel: 'till' });`,
        `void sdk.track('Order Completed', { total: 1, currency: 978 });`,
        `void sdk.track('Order Completed', { total: 1, totla: 1 });`,
        `void sdk.track('Order Completed', { total: 1, products: [{ name: 'x' }] });`,
        `void sdk.track('Order Complete', { total: 1 });`,
        `void sdk.track({ event: 'Order Completed' });`,
        `void sdk.page('Home');`,
        `void sdk.page('Home', { path: 1 });`,
        `void sdk.page('Shop', 'Home', { path: 1 });`,
        `void sdk.page('Another', { title: 1 });`,
        `void sdk.identify('u-1', { email: 1 });`,
        `void sdk.identify('u-1');`,
        `void sdk.group('g-1', { seats: 'three' });`,
      ];
      expect(await refused(SHOP, BROWSER, wrong)).toEqual(wrong);
    });

    it.each([
      ['@segment/analytics-node', SERVER],
      [
        '@rudderstack/rudder-sdk-node',
        `import Rudder from '@rudderstack/rudder-sdk-node';
import { typedServer } from './types';
const sdk = typedServer(null as unknown as InstanceType<typeof Rudder>);
const userId = 'u-1';`,
      ],
    ])('do the same for messages of %s', async (_, beginning) => {
      const right = [
        `sdk.track({ userId, event: 'Order Completed', properties: { total: 1 } });`,
        `sdk.track({ anonymousId: 'a', event: 'Logged In' }, () => {});`,
        `sdk.page({ userId, name: 'Home', properties: { path: '/' } });`,
        `sdk.page({ userId });`,
        `sdk.identify({ userId, traits: { email: 'a@example.com' } });`,
        `sdk.group({ userId, groupId: 'g-1' });`,
      ];
      const wrong = [
        `sdk.track({ userId, event: 'Order Completed', properties: { total: '1' } });`,
        `sdk.track({ userId, event: 'Order Completed', properties: {} });`,
        `sdk.track({ userId, event: 'Order Completed' });`,
        `sdk.track({ userId, event: 'Order Completed', properties: { total: 1, totla: 1 } });`,
        `sdk.track({ userId, event: 'Order Complete' });`,
        `sdk.track({ event: 'Logged In' });`,
        `sdk.page({ userId, name: 'Home' });`,
        `sdk.page({ userId, properties: { title: 1 } });`,
        `sdk.identify({ userId, traits: {} });`,
        `sdk.group({ userId, groupId: 'g-1', traits: { seats: 'three' } });`,
      ];
      expect(await refused(SHOP, beginning, [...right, ...wrong])).toEqual(wrong);
    });

    it('let anything pass of which a plan says nothing', async () => {
      const open = { ...SHOP, unplannedEvents: 'allow', unplannedProperties: 'allow' };
      const right = [
        `void sdk.track('Order Completed', { total: 1, more: true });`,
        `void sdk.track('Something Else', { anything: 1 });`,
        `void sdk.track('Something Else');`,
      ];
      const wrong = [`void sdk.track('Order Completed', { total: 'free' });`];
      expect(await refused(open, BROWSER, [...right, ...wrong])).toEqual(wrong);
      const onlyTracks = { ...SHOP, rules: SHOP.rules.slice(0, 1) };
      const onlyPages = { ...SHOP, rules: SHOP.rules.filter(({ type, event }) => type === 'page' && !event) };
      const ofPages = [`void sdk.page('Any', { title: 'x' });`, `void sdk.page({ title: 1 });`];
      expect(await refused(onlyPages, BROWSER, ofPages)).toEqual(ofPages.slice(1));
      expect(
        await refused(onlyTracks, BROWSER, [`void sdk.identify({ x: 1 }); void sdk.page('x');`]),
      ).toEqual([]);
    });

    it('know names that are not identifiers, that collide, and that mean harm', async () => {
      const names = [
        `it's "quoted"`,
        'new\nline',
        '*/ @!@; /*',
        '${@!@}',
        '`@!@`',
        'order completed',
        'Order_Completed',
        'OrderCompleted',
        '42',
        '[k: string]',
        'a\u2028b',
        '\\',
        '\\u002a/',
        ''.padEnd(1000, 'x'),
        '日本',
      ];
      // TypeScript takes an object without a property of these names for one that has it.
      const inherited = ['constructor', '__proto__'];
      const properties = Object.fromEntries(
        names.map((name) => [name, { type: 'number', description: `${name}*/ @!@` }]),
      );
      const choices = { enum: names };
      const plan = {
        name: '*/\u2028@!@\n',
        unplannedEvents: 'block',
        unplannedProperties: 'block',
        rules: [...names, ...inherited].map((event) => ({
          type: 'track',
          event,
          schema: {
            ...ofProperties({ ...properties, choices }),
            description: `*/ @!@ \u2028 @!@ ${event}`,
          },
        })),
      };
      const right = [...names, ...inherited].flatMap((name) =>
        names.map(
          (other) => `void sdk.track(${text(name)}, { ${text(other)}: 1, choices: ${text(other)} });`,
        ),
      );
      const wrong = names.flatMap((name) => [
        `void sdk.track(${text(name)}, { ${text(name)}: 'x' });`,
        `void sdk.track(${text(name)}, { choices: 'none' });`,
      ]);
      expect(await refused(plan, BROWSER, [...right, ...wrong])).toEqual(wrong);
      expect(withoutTexts(readFileSync(join(folder, 'types.ts'), 'utf8'))).not.toContain('@!@');
    });

    it('follow what schemas can say', async () => {
      const plan = {
        name: 'Schemas',
        unplannedProperties: 'block',
        rules: [
          {
            type: 'track',
            event: 'A',
            schema: {
              allOf: [ofProperties({ a: { type: 'string' } }, ['a']), ofProperties({ b: { const: 1 } })],
              ...ofProperties({
                c: { anyOf: [{ type: 'string' }, { properties: { d: { type: 'number' } } }] },
                never: false,
              }),
            },
          },
          {
            type: 'track',
            event: 'B',
            schema: {
              properties: {
                properties: {
                  properties: {
                    kind: { type: 'string' },
                    any: { description: 'Whatever.' },
                    map: { additionalProperties: { type: 'number' } },
                    pair: { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
                  },
                  dependentSchemas: { kind: { properties: { other: {} } } },
                },
              },
            },
          },
        ],
      };
      const right = [
        `void sdk.track('A', { a: 'x', b: 1, c: { d: 1 } });`,
        `void sdk.track('B', { kind: 'x', other: 1, any: 'y', map: { a: 1 }, pair: ['x', 1] });`,
      ];
      const wrong = [
        `void sdk.track('A', { b: 1 });`,
        `void sdk.track('A', { a: 'x', b: 2 });`,
        `void sdk.track('A', { a: 'x', c: 1 });`,
        `void sdk.track('A', { a: 'x', never: 1 });`,
        `void sdk.track('A', { a: 'x', e: 1 });`,
        `void sdk.track('B', { map: { a: 'x' } });`,
        `void sdk.track('B', { pair: [true] });`,
      ];
      expect(await refused(plan, BROWSER, [...right, ...wrong])).toEqual(wrong);
    });
  });

  it.each(['kotlin', 'swift', 'go', 'java', 'csharp', 'dart', 'python'])(
    'are written in %s, where names cannot do harm either',
    async (language) => {
      const hostile = `*/ @!@ /* \u2028 @!@ \\u002a/ @!@ """ @!@ \${@!@} \\(@!@) #{@!@}\n @!@`;
      const plan = {
        name: hostile,
        rules: [
          ...SHOP.rules,
          {
            type: 'track',
            event: hostile,
            schema: {
              ...ofProperties({ [hostile]: { type: 'string', description: hostile, enum: ['a', hostile] } }),
              description: hostile,
            },
          },
        ],
      };
      const types = await typesOf(plan, '--language', language);
      expect(types).toContain('OrderCompleted');
      expect(types.toLowerCase()).toContain('channel');
      expect(withoutTexts(types)).not.toContain('@!@');
    },
  );

  it.each(['typescript', 'kotlin'])('are the same text for the same plan, in %s', async (language) => {
    const types = await typesOf(SHOP, '--language', language);
    expect(types).toContain('Order Completed');
    expect(await typesOf(SHOP, '--language', language)).toBe(types);
  });

  it('are of the plan that is chosen, written into a file, and say what is wrong', async () => {
    const document = { version: 1, trackingPlans: [SHOP, { ...SHOP, name: 'Other' }] };
    const file = join(folder, 'chosen.ts');
    expect(await cdp(document, '--plan', 'Other', '--output', file)).toEqual({
      code: 0,
      output: '',
      errors: '',
    });
    expect(readFileSync(file, 'utf8')).toContain('tracking plan "Other"');
    expect(await cdp(document)).toMatchObject({
      code: 1,
      errors: '--plan: there are the tracking plans "Shop", "Other". Say which one.\n',
    });
    expect((await cdp(SHOP, '--language', 'cobol')).errors).toBe(
      '--language: cobol is none of typescript, kotlin, swift, go, java, csharp, dart, python.\n',
    );
    expect((await cdp(SHOP, '--language')).errors).toBe("Option '--language <value>' argument missing\n");
    expect((await cdp({ rules: [{ type: 'x' }] })).errors).toContain('rules[0].type: Must be one of');
    const untypable = {
      rules: [{ type: 'track', event: 'A', schema: ofProperties({ hasOwnProperty: {} }) }],
    };
    expect(await cdp(untypable)).toEqual({
      code: 1,
      output: '',
      errors:
        'The plan has a property or an event called hasOwnProperty, which TypeScript cannot be written of.\n',
    });
    expect((await cdp(SHOP, '--output', '/no/such/file')).errors).toContain(
      '/no/such/file cannot be written',
    );
  });

  it('are a file for each class in Java', async () => {
    const output = join(folder, 'java');
    expect(await typesOf(SHOP, '--language', 'java', '--output', output)).toBe('');
    const files = readdirSync(output);
    expect(files).toEqual(
      expect.arrayContaining(['TrackingPlan.java', 'OrderCompleted.java', 'PageHome.java']),
    );
    for (const file of files) {
      const source = withoutTexts(readFileSync(join(output, file), 'utf8'));
      expect(source.match(/^package /gm)).toHaveLength(1);
      expect(source).toMatch(new RegExp(`^public (?:class|enum) ${file.slice(0, -'.java'.length)} `, 'm'));
    }
  });

  it('say what to install where it is not', async () => {
    const place = mkdtempSync(join(tmpdir(), 'cdp-test-without-generators-'));
    symlinkSync(join(ROOT, 'dist'), join(place, 'dist'));
    mkdirSync(join(place, 'node_modules'));
    for (const name of readdirSync(join(ROOT, 'node_modules'))) {
      if (['json-schema-to-typescript', 'quicktype-core'].includes(name)) continue;
      symlinkSync(join(ROOT, 'node_modules', name), join(place, 'node_modules', name));
    }
    const flags = ['--preserve-symlinks-main', join(place, 'dist/cli/cdp.js'), 'types', '-'];
    const run = (...args: string[]): Promise<Ended> =>
      runToEnd('--preserve-symlinks', [...flags, ...args], { input: JSON.stringify(SHOP) });
    for (const [language, name] of [
      ['typescript', 'json-schema-to-typescript'],
      ['go', 'quicktype-core'],
    ] as const) {
      const { code, errors } = await run('--language', language);
      const message = expect.stringContaining(`which is not installed: npm install ${name}@`);
      expect({ code, errors }).toEqual({ code: 1, errors: message });
    }
    rmSync(place, { recursive: true });
  });

  describe('of the plans of a service', () => {
    let service: TestService;

    beforeAll(async () => {
      service = await startTestService({ env: { CDP_ROLES: 'management' } });
    });
    afterAll(() => service.close());

    it('are made with a token that may only read, by name and by id', async () => {
      const api = await anApiClient(service);
      const { body: plan } = await api.post('/tracking-plans', SHOP);
      await api.post('/tracking-plans', { ...SHOP, name: 'Other' });
      const env = { CDP_URL: service.url, CDP_TOKEN: await aToken(service, ['cdp:read']) };
      for (const name of ['Shop', plan.id as string]) {
        const { output, errors } = await runToEnd(CDP, ['types', '--plan', name], { env });
        expect({ output, errors }).toEqual({ output: await typesOf(SHOP), errors: '' });
      }
      expect((await runToEnd(CDP, ['types', '--plan', 'Nothing'], { env })).errors).toContain(
        'Say which one.',
      );
    });
  });
});

/** For TypeScript U+2028 ends a line. */
function text(name: string): string {
  return JSON.stringify(name).replaceAll('\u2028', String.raw`\u2028`);
}

/** Source without its literals and comments, as most languages write them. */
function withoutTexts(source: string): string {
  return source.replaceAll(
    /"""[^]*?"""|"(?:[^"\\\n\u2028]|\\.)*"|'(?:[^'\\\n\u2028]|\\.)*'|\/\*[^]*?\*\/|(?:\/\/|#)[^\n\u2028]*/g,
    '',
  );
}
