import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { parse, stringify } from 'yaml';
import { lockKeySql } from '../../src/platform/database/transactions/advisory-lock';
import { SourcesService } from '../../src/sources/sources.service';
import { aToken } from '../support/a-token';
import { type ApiAnswer, type ApiClient, anApiClient } from '../support/api-client';
import { buildService, temporaryFolder } from '../support/built-service';
import { Receiver } from '../support/receiver';
import { type Ended, runToEnd } from '../support/run-to-end';
import { startTestService, type TestService } from '../support/test-service';

const url = 'https://orders.example.com/events';

const DOCUMENT = {
  version: 1,
  sources: [{ name: 'Web shop', description: 'front end', silentAfterMinutes: 60 }, { name: 'App' }],
  segments: [{ name: 'Regulars', rules: [{ field: 'event_count', operator: 'gte', value: 3 }] }],
  destinations: [
    {
      name: 'Order service',
      type: 'webhook',
      config: { url, secret: 'a-secret-of-some-length-9f3b' },
      sources: ['Web shop'],
      rateLimit: { perSecond: 50 },
      notices: ['delete', 'destination_degraded'],
      filter: { types: ['track'], segments: ['Regulars'] },
      mapping: { hash: [{ path: 'traits.email' }], hashKey: 'a-hash-key-of-some-length' },
    },
  ],
};

interface Change {
  readonly action: string;
  readonly kind: string;
  readonly name: string;
  readonly fields: { path: string; before: unknown; after: unknown }[];
  readonly applied: boolean;
}

type Answer = { readonly code?: string; readonly changes: Change[] };

describe('configuration as code', () => {
  let service: TestService;
  let api: ApiClient;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false' } });
    api = await anApiClient(service);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    const empty = { version: 1, sources: [], segments: [], destinations: [] };
    expect((await api.put('/config?prune=true', empty)).status).toBe(200);
  });

  const summary = (body: { changes: Change[] }): string[] =>
    body.changes.map(({ action, kind, name }) => `${action} ${kind} ${name}`);

  it('names segments that others ask about by their names, and takes them in whatever order they are listed', async () => {
    const regulars = { name: 'Regulars', rules: [{ field: 'event_count', operator: 'gte', value: 3 }] };
    const asks = (name: string, value: string): object => ({
      name,
      rules: [{ not: true, rules: [{ field: 'segments', operator: 'contains', value }] }],
    });
    const segments = [asks('Neither', 'Strangers'), asks('Strangers', 'Regulars'), regulars];
    const applied = await api.put('/config', { version: 1, segments });
    expect(summary(applied.body)).toEqual([
      'create segment Regulars',
      'create segment Strangers',
      'create segment Neither',
    ]);
    expect(summary((await api.put('/config', { version: 1, segments })).body)).toEqual([]);
    const exported = (await api.get('/config/export')).body;
    expect(JSON.stringify(exported.segments)).toContain('"value":"Strangers"');
    expect(summary((await api.put('/config', exported)).body)).toEqual([]);
    const circle = [asks('Neither', 'Strangers'), asks('Strangers', 'Neither'), regulars];
    expect((await api.put('/config', { version: 1, segments: circle })).body.errors).toMatchObject([
      { path: 'segments[0].rules', code: 'segment_cycle' },
      { path: 'segments[1].rules', code: 'segment_cycle' },
    ]);
    // Ids are those of one environment.
    const [{ id }] = (await api.get('/segments')).body;
    for (const unknown of ['Nobody', id, '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b']) {
      for (const query of ['?dryRun=true', '']) {
        const document = { version: 1, segments: [asks('Neither', unknown)] };
        expect((await api.put(`/config${query}`, document)).body.errors).toMatchObject([
          { path: 'segments[0].rules[0].rules[0].value', code: 'unknown_segment' },
        ]);
      }
    }
    const pruned = await api.put('/config?prune=true', { version: 1, segments: [] });
    expect(summary(pruned.body)).toEqual([
      'delete segment Neither',
      'delete segment Strangers',
      'delete segment Regulars',
    ]);
  });

  describe('with a segment that the document leaves alone', () => {
    const asking = (name: string, ...asked: string[]): object => ({
      name,
      rules: [
        { field: 'event_count', operator: 'gte', value: 1 },
        ...asked.map((value) => ({ field: 'segments', operator: 'contains', value })),
      ],
    });
    const apply = (query: string, ...segments: object[]): Promise<ApiAnswer<Answer>> =>
      api.put(`/config${query}`, { version: 1, segments, sources: [{ name: 'App' }] });

    it('refuses a circle over it before anything is applied', async () => {
      await apply('', asking('First'), asking('Left alone', 'First'));
      await api.put('/config?prune=true', { version: 1, sources: [] });
      for (const query of ['?dryRun=true', '']) {
        expect(await apply(query, asking('First', 'Left alone'))).toMatchObject({
          status: 400,
          body: { errors: [{ path: 'segments[0].rules', code: 'segment_cycle' }] },
        });
      }
      expect((await api.get('/sources')).body).toEqual([]);
    });

    it('changes first what it asks about, so that there is no circle on the way', async () => {
      await apply('', asking('First'), asking('Last', 'First'), asking('Left alone', 'Last'));
      const turned = await apply('', asking('First', 'Left alone'), asking('Last'));
      expect(summary(turned.body)).toEqual(['update segment Last', 'update segment First']);
    });
  });

  it('says what it would do, does it, and then has nothing left to do', async () => {
    const steps = [
      'create source Web shop',
      'create source App',
      'create segment Regulars',
      'create destination Order service',
    ];
    const plan = await api.put('/config?dryRun=true', DOCUMENT);
    expect(plan.status).toBe(200);
    expect(summary(plan.body)).toEqual(steps);
    expect(plan.body.changes.some(({ applied }: Change) => applied)).toBe(false);
    expect((await api.get('/sources')).body).toEqual([]);

    const applied = await api.put('/config', DOCUMENT);
    expect(summary(applied.body)).toEqual(steps);
    expect(applied.body.changes.every(({ applied: done }: Change) => done)).toBe(true);
    const [shop] = (await api.get('/sources')).body;
    const [segment] = (await api.get('/segments')).body;
    const [destination] = (await api.get('/destinations')).body;
    expect(destination).toMatchObject({ sources: [shop.id], filter: { segments: [segment.id] }, version: 1 });

    expect((await api.put('/config', DOCUMENT)).body).toEqual({ changes: [] });
    expect((await api.get('/destinations')).body).toEqual([destination]);
  });

  it('exports what can be applied again, without any secret', async () => {
    await api.put('/config', DOCUMENT);
    const json = await api.get('/config/export');
    const yaml = await api.get('/config/export?format=yaml');
    expect(yaml.headers.get('content-type')).toContain('application/yaml');
    expect(parse(yaml.body)).toEqual(json.body);
    expect(json.body.destinations).toEqual([
      {
        ...DOCUMENT.destinations[0],
        enabled: true,
        config: { url, secret: '${env:ORDER_SERVICE_SECRET}' },
        mapping: { hash: [{ path: 'traits.email' }], hashKey: '${env:ORDER_SERVICE_HASH_KEY}' },
      },
    ]);
    for (const hidden of ['9f3b', 'a-hash-key', ...(await writeKeys())])
      expect(yaml.body).not.toContain(hidden);
    expect((await api.put('/config', json.body)).body).toEqual({ changes: [] });
    const asYaml = await api
      .with({ 'content-type': 'application/yaml' })
      .put('/config?prune=true', yaml.body);
    expect(asYaml.body).toEqual({ changes: [] });
  });

  const writeKeys = async (): Promise<string[]> =>
    (await api.get('/sources')).body.map(({ writeKey }: { writeKey: string }) => writeKey);

  it('keeps webhooks of others, with references in the place of their secrets', async () => {
    const signature = { scheme: 'hmac', secrets: ['a', 'another one'], header: 'X-Proof', prefix: 'v1=' };
    const webhook = { name: 'Forms', kind: 'webhook', untransformed: 'track', signature };
    const document = (members: object = {}): object => ({
      version: 1,
      sources: [{ ...webhook, ...members }],
    });
    const withSecrets = (secrets: string[]): object => document({ signature: { ...signature, secrets } });
    expect(summary((await api.put('/config', document())).body)).toEqual(['create source Forms']);
    expect((await api.put('/config', document())).body).toEqual({ changes: [] });
    const { sources } = (await api.get('/config/export')).body;
    const references = ['${env:FORMS_SIGNATURE_SECRET}', '${env:FORMS_SIGNATURE_SECRET_2}'];
    expect(sources).toEqual([
      {
        ...webhook,
        enabled: true,
        signature: {
          scheme: 'hmac',
          secrets: references,
          header: 'x-proof',
          algorithm: 'sha256',
          encoding: 'hex',
          prefix: 'v1=',
        },
      },
    ]);
    expect((await api.put('/config', { version: 1, sources })).body).toEqual({ changes: [] });
    // Both are shown as ****, and yet it is another one.
    const changed = await api.put('/config', withSecrets(['b', references[1] ?? '']));
    expect(changed.body.changes).toMatchObject([
      { action: 'update', fields: [{ path: 'signature.secrets', before: '****', after: '****' }] },
    ]);
    expect((await api.put('/config', withSecrets(['b', 'another one']))).body).toEqual({ changes: [] });
    const missing = await api.put('/config', withSecrets(['b', 'another one', '${env:NOBODY_HAS_IT}']));
    expect(missing.body.errors).toMatchObject([
      { path: 'sources[0].signature.secrets[2]', code: 'unresolved_reference' },
    ]);
    // Which of the two is to go cannot be told.
    const shorter = await api.put('/config', withSecrets(references.slice(1)));
    expect(shorter.body.errors).toMatchObject([
      { path: 'sources[0].signature.secrets[0]', code: 'unresolved_reference' },
    ]);
    const other = await api.put('/config', document({ kind: 'sdk', untransformed: 'keep', signature: null }));
    expect(other.body.errors).toMatchObject([{ path: 'sources[0].kind', code: 'kind_is_fixed' }]);
  });

  it('names the transformations of webhooks, and makes them first', async () => {
    const code = `export const transform = () =>\n  // ${'Nothing of it is sent. '.repeat(10)}\n  null;\n`;
    const webhook = { name: 'Payments', kind: 'webhook', transformation: 'Of payments' };
    const document = {
      version: 1,
      transformations: [{ name: 'Of payments', code }],
      sources: [webhook],
    };
    expect(summary((await api.put('/config', document)).body)).toEqual([
      'create transformation Of payments',
      'create source Payments',
    ]);
    expect((await api.put('/config', document)).body).toEqual({ changes: [] });
    expect((await api.get('/config/export')).body.sources).toEqual([{ ...webhook, enabled: true }]);
    // As it is written, so that a change of a line is a change of a line.
    expect((await api.get('/config/export?format=yaml')).body).toContain(
      code.trimEnd().replaceAll('\n', '\n      '),
    );
    const wrong = async (source: object): Promise<unknown> =>
      (await api.put('/config', { ...document, sources: [source] })).body.errors;
    expect(await wrong({ ...webhook, transformation: 'Others' })).toMatchObject([
      { path: 'sources[0].transformation', code: 'unknown_transformation' },
    ]);
    expect(await wrong({ name: 'Shop', transformation: 'Of payments' })).toMatchObject([
      { path: 'sources[0].transformation', code: 'not_a_webhook' },
    ]);
    const without = { version: 1, transformations: [], sources: [{ name: 'Payments', kind: 'webhook' }] };
    expect(summary((await api.put('/config?prune=true', without)).body)).toEqual([
      'update source Payments',
      'delete transformation Of payments',
    ]);
  });

  it('has computed traits, which come before the segments that ask about them', async () => {
    const paid = { name: 'paid', event: 'Paid', aggregate: 'sum', of: 'properties.total', within: '90d' };
    const payer = {
      name: 'Payers',
      match: 'all',
      rules: [{ field: 'computed.paid', operator: 'gte', value: 100 }],
    };
    const document = { version: 1, computedTraits: [paid], segments: [payer] };
    const wrong = async (other: object, query = ''): Promise<unknown> =>
      (await api.put(`/config${query}`, { ...document, ...other })).body.errors;
    expect(await wrong({ computedTraits: [] })).toMatchObject([
      { path: 'segments[0].rules[0].field', code: 'unknown_computed_trait' },
    ]);
    expect(await wrong({ computedTraits: [{ ...paid, within: '365d' }] })).toMatchObject([
      { path: 'computedTraits[0].within', code: 'window_beyond_retention' },
    ]);
    const far = { event: 'Paid', within: '365d', where: [{ field: 'properties.a', operator: 'exists' }] };
    expect(
      await wrong({ segments: [{ ...payer, rules: [{ ...far, operator: 'gte', value: 1 }] }] }),
    ).toMatchObject([{ path: 'segments[0].rules[0].within', code: 'window_beyond_retention' }]);
    expect(summary((await api.put('/config', document)).body)).toEqual([
      'create computedTrait paid',
      'create segment Payers',
    ]);
    expect((await api.put('/config', document)).body).toEqual({ changes: [] });
    expect((await api.get('/config/export')).body).toMatchObject(document);
    expect(await wrong({ computedTraits: [{ ...paid, within: '30d' }] })).toMatchObject([
      { path: 'computedTraits[0]', code: 'computed_trait_in_use' },
    ]);
    expect(await wrong({ computedTraits: [] }, '?prune=true')).toMatchObject([
      { path: 'segments[0].rules[0].field', code: 'unknown_computed_trait' },
    ]);
    const described = { ...document, computedTraits: [{ ...paid, description: 'In three months' }] };
    expect(summary((await api.put('/config', described)).body)).toEqual(['update computedTrait paid']);
    // A document that was right stays right, however old its ranges get.
    const old = { ...paid, name: 'paid_long_ago', within: undefined, from: '2001-11-01', to: '2001-12-01' };
    const [rule] = [{ event: 'Paid', from: '2001-11-01', operator: 'gte', value: 1 }];
    const aged = {
      version: 1,
      computedTraits: [old],
      segments: [{ name: 'Old', match: 'all', rules: [rule] }],
    };
    expect((await api.put('/config?dryRun=true', aged)).body.changes).toHaveLength(2);
    expect(summary((await api.put('/config', aged)).body)).toEqual([
      'create computedTrait paid_long_ago',
      'create segment Old',
    ]);
    expect((await api.put('/config', aged)).body).toEqual({ changes: [] });
    for (const [change, problem] of [
      [{ computedTraits: [{ ...old, to: '2001-11-01' }] }, ['computedTraits[0].to', 'empty_range']],
      [{ computedTraits: [{ ...old, within: '3d' }] }, ['computedTraits[0].within', 'not_applicable']],
      [
        { segments: [{ name: 'Old', rules: [{ ...rule, to: 'never' }] }] },
        ['segments[0].rules[0].to', 'invalid_time'],
      ],
    ] as const) {
      for (const query of ['', '?dryRun=true']) {
        const { status, body } = await api.put(`/config${query}`, { ...aged, ...change });
        const found = body.errors.map((error: { path: string; code: string }) => [error.path, error.code]);
        expect({ status, found }).toEqual({ status: 400, found: [problem] });
      }
    }
    const without = { version: 1, computedTraits: [], segments: [] };
    expect(summary((await api.put('/config?prune=true', without)).body)).toEqual([
      'delete segment Old',
      'delete segment Payers',
      'delete computedTrait paid',
      'delete computedTrait paid_long_ago',
    ]);
  });

  it('has computed traits, which come before the destinations whose filters ask about them', async () => {
    const paid = { name: 'paid_in_filter', event: 'Paid', aggregate: 'count', within: '90d' };
    const conditions = [
      { field: 'type', operator: 'exists' },
      { field: 'computed.paid_in_filter', operator: 'gte', value: 3 },
    ];
    const often = {
      name: 'Often',
      type: 'webhook',
      config: { url: 'https://example.com' },
      filter: { conditions },
      notices: ['trait_changed'],
    };
    const document = { version: 1, computedTraits: [paid], destinations: [often] };
    const wrong = async (other: object): Promise<unknown> =>
      (await api.put('/config', { ...document, ...other })).body.errors;
    expect(await wrong({ computedTraits: [] })).toMatchObject([
      { path: 'destinations[0].filter.conditions[1].field', code: 'unknown_computed_trait' },
    ]);
    const compared = [conditions[0], { ...conditions[1], value: {} }];
    expect(await wrong({ destinations: [{ ...often, filter: { conditions: compared } }] })).toMatchObject([
      { path: 'destinations[0].filter.conditions[1].value', code: 'invalid_value' },
    ]);
    const text = [conditions[0], { ...conditions[1], value: '3' }];
    expect(await wrong({ destinations: [{ ...often, filter: { conditions: text } }] })).toMatchObject([
      { path: 'destinations[0].filter.conditions[1].value', code: 'invalid_value' },
    ]);
    expect(summary((await api.put('/config', document)).body)).toEqual([
      'create computedTrait paid_in_filter',
      'create destination Often',
    ]);
    expect((await api.put('/config', document)).body).toEqual({ changes: [] });
    expect(await wrong({ computedTraits: [{ ...paid, within: '30d' }] })).toMatchObject([
      { path: 'computedTraits[0]', code: 'computed_trait_in_use' },
    ]);
    const without = { version: 1, computedTraits: [], destinations: [] };
    expect(summary((await api.put('/config?prune=true', without)).body)).toContain(
      'delete computedTrait paid_in_filter',
    );
  });

  it('has computed traits, which come before the destinations that are told of their changes', async () => {
    const paid = { name: 'paid_in_notices', event: 'Paid', aggregate: 'count', within: '90d' };
    const told = {
      name: 'Told',
      type: 'webhook',
      config: { url: 'https://example.com' },
      notices: ['trait_changed'],
      noticeTraits: ['paid_in_notices'],
    };
    const document = { version: 1, computedTraits: [paid], destinations: [told] };
    const wrong = async (other: object, query = ''): Promise<unknown> =>
      (await api.put(`/config${query}`, { ...document, ...other })).body.errors;
    expect(await wrong({ computedTraits: [] })).toMatchObject([
      { path: 'destinations[0].noticeTraits[0]', code: 'unknown_computed_trait' },
    ]);
    expect(await wrong({ destinations: [{ ...told, notices: [] }] })).toMatchObject([
      { path: 'destinations[0].noticeTraits', code: 'not_applicable' },
    ]);
    expect(summary((await api.put('/config', document)).body)).toEqual([
      'create computedTrait paid_in_notices',
      'create destination Told',
    ]);
    expect((await api.put('/config', document)).body).toEqual({ changes: [] });
    expect((await api.get('/config/export?format=json')).body.destinations).toContainEqual(
      expect.objectContaining({ name: 'Told', noticeTraits: ['paid_in_notices'] }),
    );
    expect(await wrong({ computedTraits: [{ ...paid, within: '30d' }] })).toMatchObject([
      { path: 'computedTraits[0]', code: 'computed_trait_in_use' },
    ]);
    const { noticeTraits: _, ...ofAll } = told;
    const { body } = await api.put('/config', { ...document, destinations: [ofAll] });
    expect(body.changes).toMatchObject([
      { action: 'update', fields: [{ path: 'noticeTraits', before: ['paid_in_notices'] }] },
    ]);
    const without = { version: 1, computedTraits: [], destinations: [] };
    expect(summary((await api.put('/config?prune=true', without)).body)).toContain(
      'delete computedTrait paid_in_notices',
    );
  });

  it('plans no deletion of what something uses that the document leaves alone', async () => {
    const asked = { name: 'asked', event: 'Paid', aggregate: 'count', within: '90d' };
    const rules = [{ field: 'computed.asked', operator: 'gte', value: 1 }];
    const code = 'export function transform(event) { return event; }';
    const config = { url: 'https://example.com' };
    const user = { name: 'Filters', type: 'webhook', config, transformation: 'Used' };
    const document = {
      version: 1,
      trackingPlans: [{ name: 'Used plan', rules: [] }],
      transformations: [{ name: 'Used', code }],
      sources: [{ name: 'Planned', trackingPlan: 'Used plan' }],
      computedTraits: [asked],
      segments: [{ name: 'Asking', rules }],
      destinations: [{ ...user, sources: ['Planned'], filter: { conditions: rules, segments: ['Asking'] } }],
    };
    const made = (await api.put('/config', document)).body;
    expect(made).toMatchObject({ changes: expect.arrayContaining([]) });
    const before = (await api.get('/config/export')).body;
    const lists = { version: 1, trackingPlans: [], transformations: [], computedTraits: [] };
    for (const query of ['?prune=true', '?prune=true&dryRun=true']) {
      const { status, body } = await api.put(`/config${query}`, lists);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: {
          errors: [
            {
              path: 'trackingPlans',
              code: 'tracking_plan_in_use',
              message: expect.stringContaining('Planned'),
            },
            { path: 'transformations', code: 'transformation_in_use' },
            {
              path: 'computedTraits',
              code: 'computed_trait_in_use',
              message: expect.stringMatching(/^"asked" is not in it.*"Asking", "Filters"/),
            },
          ],
        },
      });
    }
    const { body } = await api.put('/config?prune=true&dryRun=true', {
      version: 1,
      sources: [],
      segments: [],
    });
    expect(body.errors).toMatchObject([
      { path: 'sources', code: 'source_in_use', message: expect.stringMatching(/^"Planned".*: "Filters"/) },
      { path: 'segments', code: 'segment_in_use', message: expect.stringMatching(/^"Asking".*: "Filters"/) },
    ]);
    expect((await api.get('/config/export')).body).toEqual(before);
    const all = { ...lists, sources: [], segments: [], destinations: [] };
    expect((await api.put('/config?prune=true', all)).status).toBe(200);
  });

  it('warns of what is probably not meant so, of what a document creates and changes', async () => {
    const database = new Client({ connectionString: service.databaseUrl });
    await database.connect();
    await database.query(
      `insert into profile (subject, traits, event_count) values ('u:ann', '{"plan": "pro"}', 1)`,
    );
    await database.end();
    const rule = { field: 'trait.plan', operator: 'eq', value: 'pro' };
    const old = { name: 'long_ago', event: 'Paid', aggregate: 'count', from: '2001-11-01', to: '2001-12-01' };
    const document = (segment: object): object => ({
      version: 1,
      computedTraits: [old],
      segments: [
        { name: 'Fine', rules: [{ field: 'computed.long_ago', operator: 'gte', value: 1 }] },
        { name: 'Misspelt', rules: [rule], ...segment },
      ],
    });
    const warned = ({ changes }: { changes: (Change & { warnings: { path: string; code: string }[] })[] }) =>
      changes.map(({ name, warnings }) => [name, warnings.map(({ path, code }) => `${path} ${code}`)]);
    const created = [
      ['long_ago', ['from range_beyond_retention', 'event unknown_event']],
      ['Fine', ['rules[0] range_beyond_retention']],
      ['Misspelt', ['rules[0].field unknown_field']],
    ];
    for (const query of ['?dryRun=true', '']) {
      expect(warned((await api.put(`/config${query}`, document({}))).body)).toEqual(created);
    }
    const { body } = await api.put('/config?dryRun=true', document({ description: 'Changed' }));
    expect(body.changes).toMatchObject([
      {
        name: 'Misspelt',
        warnings: [
          {
            path: 'rules[0].field',
            message: 'No profile has `trait.plan`; did you mean `traits.plan`?',
          },
        ],
      },
    ]);
    const gone = await api.put('/config?prune=true', { version: 1, segments: [], computedTraits: [] });
    expect(warned(gone.body).map(([, warnings]) => warnings)).toEqual([[], [], []]);
  });

  it('refuses a plan of more than there may be, as applying it would', async () => {
    const trait = { event: 'Paid', aggregate: 'count', within: '30d' };
    const computedTraits = Array.from({ length: 101 }, (_, n) => ({ ...trait, name: `trait_${n}` }));
    for (const query of ['?dryRun=true', '']) {
      expect(await api.put(`/config${query}`, { version: 1, computedTraits })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'computedTraits', code: 'too_many_computed_traits' }] },
      });
    }
    expect((await api.get('/computed-traits')).body).toEqual([]);
  });

  it('tells at once what is wrong with each of its parts', async () => {
    const webhook = { type: 'webhook', config: { url: 'ftp://example.com' } };
    const { status, body } = await api.put('/config?dryRun=true', {
      version: 1,
      sources: [
        { name: 'Hook', kind: 'webhook', signature: { scheme: 'github', secrets: ['${env:NOBODY_HAS_IT}'] } },
      ],
      segments: [{ name: 'Odd', rules: [{ field: 'traits.plan', operator: 'is like', value: 'pro' }] }],
      destinations: [
        { name: 'One', ...webhook },
        { name: 'Two', ...webhook, sources: ['No source'] },
        { name: 'Three', type: 'carrier-pigeon', config: {} },
      ],
    });
    const paths = body.errors.map((error: { path: string }) => error.path).sort();
    expect({ status, paths }).toEqual({
      status: 400,
      paths: [
        'destinations[0].config.url',
        'destinations[1].sources[0]',
        'destinations[2].type',
        'segments[0].rules[0].operator',
        'sources[0].signature.secrets[0]',
      ],
    });
  });

  it('does not plan a list that alone has more than there may be', async () => {
    const value = 'No segment, and nobody looks for it';
    const segment = { rules: [{ field: 'segments', operator: 'contains', value }] };
    const segments = Array.from({ length: 2_001 }, (_, n) => ({ ...segment, name: `Segment ${n}` }));
    expect(await api.put('/config?dryRun=true', { version: 1, segments })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'segments', code: 'too_many_segments' }] },
    });
  });

  it('names the members that change, and shows no secret', async () => {
    await api.put('/config', DOCUMENT);
    const [destination] = DOCUMENT.destinations;
    const changed = {
      version: 1,
      sources: [{ name: 'Web shop', enabled: false }],
      destinations: [
        {
          ...destination,
          config: { url: `${url}/2`, secret: 'another-secret-of-length-9f3b' },
          mapping: { ...destination?.mapping, hashKey: 'another-key-of-some-length' },
          sources: ['App'],
        },
      ],
    };
    const { body } = await api.put('/config', changed);
    expect(body.changes).toEqual([
      {
        action: 'update',
        kind: 'source',
        name: 'Web shop',
        warnings: [],
        applied: true,
        fields: [
          { path: 'description', before: 'front end', after: null },
          { path: 'enabled', before: true, after: false },
          { path: 'silentAfterMinutes', before: 60, after: null },
        ],
      },
      expect.objectContaining({ action: 'update', kind: 'destination', applied: true }),
    ]);
    expect(body.changes[1].fields).toEqual(
      expect.arrayContaining([
        { path: 'config.url', before: url, after: `${url}/2` },
        { path: 'config.secret', before: '****', after: '****' },
        { path: 'sources', before: ['Web shop'], after: ['App'] },
        { path: 'mapping.hashKey', before: '****', after: '****' },
      ]),
    );
    expect(JSON.stringify(body)).not.toContain('secret-of');
    expect((await api.put('/config', changed)).body).toEqual({ changes: [] });
    const withoutMapping = { version: 1, destinations: [{ ...changed.destinations[0], mapping: undefined }] };
    const planned = await api.put('/config?dryRun=true', withoutMapping);
    expect(planned.body.changes[0].fields.map(({ path }: { path: string }) => path)).toEqual(['mapping']);
    const entries = (await api.get('/audit?resource=configuration')).body;
    expect(entries[0]).toMatchObject({ action: 'apply', actor: 'operator@example.com' });
    expect((await api.get('/audit?resource=source&limit=1')).body[0]).toMatchObject({ action: 'update' });
  });

  it('takes a secret away that is null, and creates a destination without it', async () => {
    const config = { bucket: 'customer-events', region: 'eu-central-1' };
    const keys = { accessKeyId: 'an-access-key', secretAccessKey: 'a-secret-of-some-length' };
    const withConfig = (given: object): object => ({
      version: 1,
      destinations: [{ name: 'Lake', type: 's3-export', enabled: false, config: given }],
    });
    const without = withConfig({ ...config, secretAccessKey: null });
    await api.put('/config', withConfig({ ...config, ...keys }));
    const planned = await api.put<Answer>('/config?dryRun=true', without);
    expect(planned.body.changes).toMatchObject([
      {
        action: 'update',
        fields: [
          { path: 'config.accessKeyId', before: 'an-access-key' },
          { path: 'config.secretAccessKey', before: '****ngth' },
        ],
      },
    ]);
    expect(summary((await api.put('/config', without)).body)).toEqual(['update destination Lake']);
    expect(summary((await api.put('/config', without)).body)).toEqual([]);
    expect((await api.get('/destinations')).body).toMatchObject([{ config }]);

    await api.put('/config?prune=true', { version: 1, destinations: [] });
    expect(summary((await api.put('/config', without)).body)).toEqual(['create destination Lake']);
    expect(summary((await api.put('/config', without)).body)).toEqual([]);
  });

  it('refuses a reference to a secret that the destination no longer has', async () => {
    await api.put('/config', DOCUMENT);
    const exported = (await api.get('/config/export')).body;
    const [destination] = (await api.get('/destinations')).body;
    await api.put(`/destinations/${destination.id}`, { mapping: null });
    for (const query of ['?dryRun=true', '']) {
      const { status, body } = await api.put(`/config${query}`, exported);
      expect({ status, errors: body.errors }).toEqual({
        status: 400,
        errors: [
          expect.objectContaining({ path: 'destinations[0].mapping.hashKey', code: 'unresolved_reference' }),
        ],
      });
    }
    expect((await api.get('/destinations')).body[0].mapping).toBeNull();
  });

  it('deletes only when asked to, and only from lists that are in the document', async () => {
    await api.put('/config', DOCUMENT);
    const smaller = { version: 1, sources: [{ name: 'App' }], destinations: [] };
    expect((await api.put('/config', smaller)).body).toEqual({ changes: [] });
    const pruned = await api.put('/config?prune=true', smaller);
    expect(summary(pruned.body)).toEqual(['delete destination Order service', 'delete source Web shop']);
    expect((await api.get('/segments')).body).toHaveLength(1);
  });

  it('deletes who asks about a segment before it, where another has the name of who asks', async () => {
    const rules = [{ field: 'event_count', operator: 'gte', value: 3 }];
    const asking = (await api.post('/segments', { name: 'VIP', rules })).body;
    const asked = (await api.post('/segments', { name: 'Buyers', rules })).body;
    const asks = [{ field: 'segments', operator: 'contains', value: asked.id }];
    expect((await api.put(`/segments/${asking.id}`, { rules: asks })).status).toBe(200);
    await api.post('/segments?allowDuplicate=true', { name: 'VIP', rules });
    const pruned = await api.put('/config?prune=true', { version: 1, segments: [] });
    expect(summary(pruned.body).at(-1)).toBe('delete segment Buyers');
    expect((await api.get('/segments')).body).toEqual([]);
  });

  it.each([
    ['no version', { sources: [] }, 'version'],
    ['an unknown list', { version: 1, hooks: [] }, 'hooks'],
    ['null for an entry', { version: 1, sources: [null] }, 'sources[0]'],
    ['a blank name', { version: 1, sources: [{ name: 'A' }, { name: ' ' }] }, 'sources[1].name'],
    ['an id', { version: 1, segments: [{ name: 'A', rules: [], id: 'x' }] }, 'segments[0].id'],
    ['a name twice', { version: 1, sources: [{ name: 'A' }, { name: 'A' }] }, 'sources[1].name'],
    [
      'a bad rule',
      { version: 1, segments: [{ name: 'A', rules: [{ field: 'x', operator: 'is', value: 1 }] }] },
      'segments[0].rules[0].operator',
    ],
    [
      'a bad config',
      { version: 1, destinations: [{ name: 'A', type: 'webhook', config: { url: 'ftp://x.example' } }] },
      'destinations[0].config.url',
    ],
    [
      'a config that cannot be stored',
      {
        version: 1,
        destinations: [
          {
            name: 'A',
            type: 's3-export',
            config: { bucket: 'events', accessKeyId: 'key\0', secretAccessKey: 'a-key-of-some-length' },
          },
        ],
      },
      'destinations[0].config.accessKeyId',
    ],
    [
      'an unknown type',
      { version: 1, destinations: [{ name: 'A', type: 'pigeon', config: {} }] },
      'destinations[0].type',
    ],
    [
      'an unknown source',
      { version: 1, destinations: [{ name: 'A', type: 'webhook', config: { url }, sources: ['Nobody'] }] },
      'destinations[0].sources[0]',
    ],
    [
      'an unknown segment',
      {
        version: 1,
        destinations: [{ name: 'A', type: 'webhook', config: { url }, filter: { segments: ['Nobody'] } }],
      },
      'destinations[0].filter.segments[0]',
    ],
    [
      'a secret that nobody resolved',
      { version: 1, destinations: [{ name: 'A', type: 'webhook', config: { url, secret: '${env:A}' } }] },
      'destinations[0].config.secret',
    ],
    ['a reference elsewhere', { version: 1, sources: [{ name: 'A ${env:B}' }] }, 'sources[0].name'],
    [
      'a reference in code',
      { version: 1, transformations: [{ name: 'A', code: 'export const transform = () => "${env:B}";' }] },
      'transformations[0].code',
    ],
    [
      'a new transformation of what travels in batches',
      {
        version: 1,
        transformations: [{ name: 'New', code: 'export const transform = (event) => event;' }],
        destinations: [
          {
            name: 'A',
            type: 'webhook',
            config: { url, batch: { maxEvents: 10 } },
            transformation: 'New',
          },
        ],
      },
      'destinations[0].transformation',
    ],
  ])(
    'answers 400 that names the place to a document with %s, and changes nothing',
    async (_, document, path) => {
      const first = { sources: [{ name: 'First' }] };
      for (const query of ['', '?dryRun=true', '?prune=true']) {
        const answer = await api.put(`/config${query}`, { ...first, ...document });
        expect({ status: answer.status, path: answer.body.errors?.[0]?.path }).toEqual({ status: 400, path });
      }
      expect((await api.get('/sources')).body).toEqual([]);
    },
  );

  it.each([
    'a: [1',
    'a: *nobody',
    '['.repeat(50_000),
    `version: 1\nsources: ${'{a: '.repeat(2_000)}`,
    '- 1',
    '',
  ])('answers 400 to YAML that is none (%#)', async (yaml) => {
    const answer = await api.with({ 'content-type': 'application/yaml' }).put('/config', yaml);
    expect(answer.status).toBe(400);
  });

  it.each([
    [
      { segments: [{ name: 'A', rules: [{ field: 'plan', operator: 'eq', value: [NaN] }] }] },
      { path: 'segments[0].rules[0].value', message: 'The value [0] must be a finite number.' },
    ],
    [
      {
        destinations: [
          {
            name: 'A',
            type: 'webhook',
            config: { url },
            mapping: { constant: [{ path: 'properties.a', value: { b: Infinity } }] },
          },
        ],
      },
      { path: 'destinations[0].mapping.constant[0].value.b' },
    ],
  ])('answers 400 to YAML with a number that JSON cannot hold: %j', async (lists, error) => {
    const answer = await api
      .with({ 'content-type': 'application/yaml' })
      .put('/config', stringify({ version: 1, ...lists }));
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ code: 'invalid_value', ...error }] } });
  });

  it('takes a document that is longer than other bodies, but with no more values, and no such YAML', async () => {
    const description = 'a'.repeat(900);
    const sources = Array.from({ length: 2_000 }, (_, n) => ({ name: `Source ${n}`, description }));
    const planned = await api.put('/config?dryRun=true', { version: 1, sources });
    expect(planned.status).toBe(200);
    expect(planned.body.changes).toHaveLength(2_000);
    expect((await api.post('/sources', { sources })).status).toBe(413);
    const ones = Array.from({ length: 600_000 }, () => 1);
    expect(await api.put('/config', { version: 1, sources: [ones] })).toMatchObject({
      status: 400,
      body: { errors: [{ path: '', code: 'too_many_values' }] },
    });
    const yaml = `version: 1\n${'# not so long\n'.repeat(20_000)}`;
    expect((await api.with({ 'content-type': 'application/yaml' }).put('/config', yaml)).status).toBe(413);
  });

  it('takes YAML nowhere else', async () => {
    const answer = await api.with({ 'content-type': 'application/yaml' }).post('/sources', 'name: Shop');
    expect(answer.status).toBe(415);
  });

  it('cannot tell apart what has the same name, and says so', async () => {
    await api.post('/sources', { name: 'Twin' });
    await api.post('/sources?allowDuplicate=true', { name: 'Twin' });
    const refused = await api.put('/config', { version: 1, sources: [{ name: 'Twin' }] });
    expect(refused).toMatchObject({ status: 409, body: { code: 'ambiguous_name' } });
    expect((await api.get('/config/export')).status).toBe(409);
    expect((await api.put('/config', { version: 1, sources: [{ name: 'Other' }] })).status).toBe(200);
  });

  it('refuses a reference to a name that several have, instead of choosing one of them', async () => {
    const twins: Record<string, object> = {
      '/sources': {},
      '/transformations': { code: 'export const transform = (event) => event;' },
      '/tracking-plans': { rules: [] },
      '/segments': { rules: [{ field: 'event_count', operator: 'gte', value: 3 }] },
    };
    for (const [path, members] of Object.entries(twins)) {
      for (const _ of ['one', 'other']) {
        const made = await api.post(`${path}?allowDuplicate=true`, { name: 'Twin', ...members });
        expect(made.status).toBe(201);
      }
    }
    const asks = { field: 'segments', operator: 'contains', value: 'Twin' };
    const webhook = { type: 'webhook', config: { url } };
    const refusedAt = async (lists: object): Promise<unknown> => {
      const { status, body } = await api.put('/config', { version: 1, ...lists });
      return { status, code: body.code, paths: body.errors.map(({ path }: { path: string }) => path) };
    };
    const refused = (...paths: string[]): object => ({ status: 409, code: 'ambiguous_name', paths });
    expect(await refusedAt({ sources: [{ name: 'Shop', trackingPlan: 'Twin' }] })).toEqual(
      refused('sources[0].trackingPlan'),
    );
    const hook = { name: 'Hook', kind: 'webhook', transformation: 'Twin' };
    expect(await refusedAt({ sources: [{ name: 'Shop' }, hook] })).toEqual(
      refused('sources[1].transformation'),
    );
    expect(await refusedAt({ segments: [{ name: 'Asks', rules: [{ not: true, rules: [asks] }] }] })).toEqual(
      refused('segments[0].rules[0].rules[0].value'),
    );
    expect(
      await refusedAt({
        destinations: [
          { name: 'One', ...webhook, sources: ['Twin'] },
          { name: 'Two', ...webhook, filter: { segments: ['Twin'] } },
          { name: 'Three', ...webhook, transformation: 'Twin' },
        ],
      }),
    ).toEqual(
      refused(
        'destinations[2].transformation',
        'destinations[0].sources[0]',
        'destinations[1].filter.segments[0]',
      ),
    );
    expect(
      (await api.put('/config?prune=true', { version: 1, transformations: [], trackingPlans: [] })).status,
    ).toBe(200);
  });

  it('refuses a plan that was made for another configuration', async () => {
    const { headers } = await api.get('/config/export');
    const etag = headers.get('etag') ?? '';
    await api.post('/sources', { name: 'Meanwhile' });
    const late = await api.with({ 'if-match': etag }).put('/config', DOCUMENT);
    expect(late).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
    const now = (await api.get('/config/export')).headers.get('etag') ?? '';
    expect((await api.with({ 'if-match': now }).put('/config', DOCUMENT)).status).toBe(200);
  });

  it('does nothing but what a dry run said when it is given the ETag of that', async () => {
    const applyAsSaid = ({ headers }: ApiAnswer<Answer>): Promise<ApiAnswer<Answer>> =>
      api.with({ 'if-match': headers.get('etag') ?? '' }).put('/config?prune=true', DOCUMENT);
    const said = await api.put('/config?dryRun=true&prune=true', DOCUMENT);
    await api.post('/sources', { name: 'Made meanwhile' });
    expect(await applyAsSaid(said)).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
    const saidAgain = await api.put('/config?dryRun=true&prune=true', DOCUMENT);
    const done = await applyAsSaid(saidAgain);
    expect(done.status).toBe(200);
    expect(summary(done.body)).toEqual(summary(saidAgain.body));
    expect(summary(done.body)).toContain('delete source Made meanwhile');
  });

  it('makes everything once when many apply the same document at once', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => api.put('/config', DOCUMENT)));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect(answers.filter(({ status, body }) => status === 200 && body.changes.length > 0)).toHaveLength(1);
    expect((await api.get('/sources')).body).toHaveLength(2);
    expect((await api.get('/destinations')).body).toHaveLength(1);
  });

  describe('during a step', () => {
    const document = { version: 1, sources: [{ name: 'First' }, { name: 'Second' }] };
    const keySql = lockKeySql("'configuration'");
    let observer: Client;

    beforeEach(async () => {
      observer = new Client({ connectionString: service.databaseUrl });
      await observer.connect();
    });
    afterEach(() => observer.end());

    /** Ends the sessions that hold the lock, if the condition holds for them. */
    const endHolders = (conditionSql: string): Promise<unknown> =>
      observer.query(`
        select pg_terminate_backend(pid, 5000) from pg_locks join pg_stat_activity using (pid)
        where locktype = 'advisory' and datname = current_database()
          and (classid::bigint << 32 | objid::bigint) = ${keySql} and ${conditionSql}`);

    const isFree = async (): Promise<boolean> =>
      (await observer.query(`select pg_try_advisory_lock(${keySql}) as free`)).rows[0].free;

    /** Applies the document; meanwhile, before its first source is made, does something else. */
    const applyWith = async (meanwhile: () => Promise<unknown>): Promise<ApiAnswer<Answer>> => {
      const sources = service.app.get(SourcesService, { strict: false });
      const create = sources.create.bind(sources);
      const spy = jest.spyOn(sources, 'create').mockImplementationOnce(async (...given) => {
        await meanwhile();
        return create(...given);
      });
      try {
        return await api.put<Answer>('/config', document);
      } finally {
        spy.mockRestore();
      }
    };

    it('has no transaction open, which PostgreSQL would end after half a minute', async () => {
      const answer = await applyWith(() => endHolders("state = 'idle in transaction'"));
      expect(answer.status).toBe(200);
      const [entry] = (await api.get('/audit?resource=configuration&limit=1')).body;
      expect(entry.after.changes.map(({ name }: Change) => name)).toEqual(['First', 'Second']);
    });

    it('lets nobody else apply a document, in this process or another', async () => {
      const answer = await applyWith(async () => {
        expect(await isFree()).toBe(false);
        expect(await api.put('/config', document)).toMatchObject({
          status: 409,
          body: { code: 'configuration_busy' },
        });
      });
      expect(answer.status).toBe(200);
      expect(await isFree()).toBe(true);
      expect((await api.put('/config', document)).body.code).toBe('configuration_busy');
    });

    it('says what was applied when it cannot go on', async () => {
      const answer = await applyWith(() => api.post('/sources', { name: 'Second' }));
      expect(answer).toMatchObject({
        status: 409,
        body: {
          code: 'configuration_partly_applied',
          message: expect.stringContaining('source "Second"'),
          changes: [{ applied: true }, { applied: false }],
        },
      });
    });

    it('says what was applied when something went wrong that was not foreseen', async () => {
      const answer = await applyWith(() =>
        observer.query(
          `alter table source add constraint none_of_this_name check (name <> 'Second') not valid`,
        ),
      );
      await observer.query('alter table source drop constraint none_of_this_name');
      expect(answer).toMatchObject({
        status: 500,
        body: { code: 'configuration_partly_applied', changes: [{ applied: true }, { applied: false }] },
      });
    });

    it('stops before the next one when its lock is lost, and says what was applied', async () => {
      const answer = await applyWith(() => endHolders('true'));
      expect(answer).toMatchObject({ status: 503, body: { code: 'configuration_partly_applied' } });
      expect(answer.body.changes.map(({ applied }: Change) => applied)).toEqual([true, false]);
      expect((await api.get('/sources')).body).toMatchObject([{ name: 'First' }]);
      expect(summary((await api.put('/config', document)).body)).toEqual(['create source Second']);
    });
  });

  it('refuses a plan of more measures than there may be, as applying it would', async () => {
    const measures = (of: string, count: number): object[] =>
      Array.from({ length: count }, (_, n) => ({
        event: `${of} ${n}`,
        within: '5h',
        operator: 'gt',
        value: 1,
      }));
    const full = Array.from({ length: 20 }, (_, n) => ({
      name: `Full ${n}`,
      rules: measures(`Of ${n}`, 10),
    }));
    const apply = (query: string, ...segments: object[]): Promise<ApiAnswer<Answer>> =>
      api.put(`/config${query}`, { version: 1, sources: [{ name: 'S' }], segments });
    for (const query of ['?dryRun=true', '']) {
      expect(await apply(query, ...full, { name: 'Two', rules: measures('One more', 1) })).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'segments[20].rules', code: 'too_many_measures' }] },
      });
    }
    expect((await api.get('/sources')).body).toEqual([]);
    // What several have is one, and what is changed goes.
    const same = { name: 'Same', rules: measures('Of 0', 10) };
    expect((await apply('', ...full, same)).status).toBe(200);
    const others = { name: 'Full 1', rules: measures('Others', 10) };
    expect((await apply('?dryRun=true', others)).status).toBe(200);
    expect(await apply('?dryRun=true', { ...others, name: 'Same' })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'segments[0].rules', code: 'too_many_measures' }] },
    });
  });

  it('needs cdp:write to apply, and cdp:read to export', async () => {
    const reader = api.with({ authorization: `Bearer ${await aToken(service, ['cdp:read'])}` });
    expect((await reader.get('/config/export')).status).toBe(200);
    expect((await reader.put('/config?dryRun=true', DOCUMENT)).status).toBe(403);
  });

  it('reads no body of a token that may not send it', async () => {
    const reader = api.with({ authorization: `Bearer ${await aToken(service, ['cdp:read'])}` });
    const large = 'x'.repeat(2 * 1024 * 1024);
    for (const body of ['{', large]) {
      expect(await reader.post('/sources', body)).toMatchObject({
        status: 403,
        body: { code: 'missing_scope' },
      });
      expect((await reader.put('/config', body)).status).toBe(403);
    }
  });

  describe('the command cdp', () => {
    let token: string;

    beforeAll(async () => {
      buildService();
      token = await aToken(service, ['cdp:write']);
    }, 60_000);

    const cdp = (
      args: string[],
      { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
    ): Promise<Ended> =>
      runToEnd(join(__dirname, '../../dist/cli/cdp.js'), args, {
        input,
        env: { CDP_URL: service.url, CDP_TOKEN: token, ...env },
      });

    const input = stringify({
      ...DOCUMENT,
      destinations: [
        {
          name: 'Hook',
          type: 'webhook',
          config: { url: 'https://${env:HOOK_HOST}/in', secret: '${env:HOOK_SECRET}' },
        },
      ],
    });
    const env = { HOOK_HOST: 'hook.example.com', HOOK_SECRET: 'a-secret-from-the-vault' };

    it('plans, applies, and plans again that nothing is left', async () => {
      const plan = await cdp(['plan', '-'], { input, env });
      expect(plan).toMatchObject({ code: 2, errors: '' });
      expect(plan.output).toContain('+ destination "Hook"\n4 changes planned.');
      const apply = await cdp(['apply', '-'], { input, env });
      expect(apply).toMatchObject({ code: 0, errors: '' });
      expect(apply.output).toContain('4 changes applied.');
      expect((await api.get('/destinations')).body[0].config.url).toBe('https://hook.example.com/in');
      expect(await cdp(['plan', '-'], { input, env })).toMatchObject({
        code: 0,
        output: 'Nothing changes.\n',
      });

      const other = await cdp(['plan', '-', '--json'], {
        input,
        env: { ...env, HOOK_SECRET: 'another-secret' },
      });
      expect(JSON.parse(other.output).changes[0].fields).toEqual([
        { path: 'config.secret', before: '****ault', after: '****cret' },
      ]);

      const exported = await cdp(['export']);
      expect(exported.code).toBe(0);
      expect(exported.output).not.toContain('vault');
      expect(exported.output).toMatch(/- field: event_count\n\s+operator: gte\n\s+value: 3\n/);
      const again = await cdp(['plan', '-', '--prune'], { input: exported.output });
      expect(again).toMatchObject({ code: 0, output: 'Nothing changes.\n', errors: '' });

      const unset = 'Not set: HOOK_SECRET. Secrets that a destination or source already has stay';
      const changed = exported.output.replace('hook.example.com', 'other.example.com');
      const planned = await cdp(['plan', '-'], { input: changed });
      expect(planned).toMatchObject({ code: 2, errors: expect.stringContaining(unset) });
      const refused = await cdp(['apply', '-'], { input: exported.output.replace('Hook', 'New hook') });
      expect(refused).toMatchObject({ code: 1, errors: expect.stringContaining(unset) });
    });

    it('says what is done where something fails on the way', async () => {
      const sources = service.app.get(SourcesService, { strict: false });
      const create = sources.create.bind(sources);
      const input = JSON.stringify({ version: 1, sources: [{ name: 'First' }, { name: 'Second' }] });
      for (const [args, shown] of [
        [[], '+ source "First" (applied)\n+ source "Second" (not applied)\n1 of 2 changes applied.\n'],
        [['--json'], expect.stringMatching(/"applied": true[^]*"applied": false/)],
      ] as const) {
        expect((await api.put('/config?prune=true', { version: 1, sources: [] })).status).toBe(200);
        const spy = jest.spyOn(sources, 'create').mockImplementationOnce(async (...given) => {
          await api.post('/sources', { name: 'Second' });
          return create(...given);
        });
        const { code, output, errors } = await cdp(['apply', '-', ...args], { input });
        spy.mockRestore();
        expect({ code, output }).toEqual({ code: 1, output: shown });
        expect(errors).toContain('What stands before it is applied.');
      }
    });

    it('tells of warnings, in words and as JSON', async () => {
      const rules = [{ event: 'Paid', from: '2001-11-01', operator: 'gte', value: 1 }];
      const warned = JSON.stringify({ version: 1, segments: [{ name: 'Old', rules }] });
      const plan = await cdp(['plan', '-'], { input: warned });
      expect(plan.output).toMatch(/\+ segment "Old"\n {4}warning: rules\[0\]: Events are kept for/);
      for (const command of ['plan', 'apply']) {
        const { output } = await cdp([command, '-', '--json'], { input: warned });
        expect(JSON.parse(output).changes).toMatchObject([
          {
            name: 'Old',
            warnings: expect.arrayContaining([
              expect.objectContaining({ path: 'rules[0]', code: 'range_beyond_retention' }),
            ]),
          },
        ]);
      }
    });

    it('says what a command takes, and loads nothing of the service for that', async () => {
      const help = await cdp(['--help'], { env: { CDP_URL: '', CDP_TOKEN: '' } });
      expect(help).toMatchObject({ code: 0, errors: '' });
      expect(help.output).toMatch(/cdp plan .*cdp apply .*cdp export .*cdp token /s);
      for (const args of [
        ['export', '--help'],
        ['help', 'export'],
      ]) {
        const { code, output } = await cdp(args);
        expect({ code, output }).toMatchObject({
          code: 0,
          output: expect.stringMatching(/^cdp export .*CDP_URL/s),
        });
        expect(output).not.toContain('cdp apply');
      }
      expect((await cdp(['token'])).errors).toContain('npm run token');
      const script = join(__dirname, '../../dist/cli/cdp.js');
      const loads = `process.argv = ['', '', '--help']; require(${JSON.stringify(script)});
        process.stderr.write(Object.keys(require.cache).filter((path) => path.includes('node_modules')).join());`;
      expect(await runToEnd('-e', [loads])).toMatchObject({ code: 0, errors: '' });
    });

    it('takes from a file .env in the current folder what is not in its environment', async () => {
      const folder = temporaryFolder();
      try {
        writeFileSync(join(folder.path, '.env'), `CDP_URL=http://127.0.0.1:9\nCDP_TOKEN=${token}\n`);
        const given = { cwd: folder.path, env: { CDP_URL: service.url } };
        const script = join(__dirname, '../../dist/cli/cdp.js');
        expect(await runToEnd(script, ['export'], given)).toMatchObject({ code: 0, errors: '' });
      } finally {
        folder.remove();
      }
    });

    it('ends with 1 and says why when it cannot', async () => {
      expect(await cdp(['fly'])).toMatchObject({ code: 1, output: '' });
      expect((await cdp(['plan', '/no/such/file'])).errors).toContain('/no/such/file cannot be read');
      expect((await cdp(['plan', '-'], { input: '# nothing' })).errors).toContain(
        '- is empty: a document starts',
      );
      expect((await cdp(['export'], { env: { CDP_TOKEN: '' } })).errors).toContain('CDP_TOKEN');
      const away = await cdp(['export'], { env: { CDP_URL: 'http://127.0.0.1:9' } });
      expect(away).toMatchObject({ code: 1 });
      expect(away.errors).toContain('cannot be reached');
      const loginPage = await Receiver.start();
      loginPage.answer(200, { 'content-type': 'text/html' });
      for (const args of [['export'], ['plan', '-']]) {
        const given = { input: 'version: 1', env: { CDP_URL: loginPage.url } };
        expect(await cdp(args, given)).toEqual({
          code: 1,
          output: '',
          errors: expect.stringMatching(
            / answered 200 with text\/html in the place of application\/\w+: .*\n$/,
          ),
        });
      }
      await loginPage.stop();
      const refused = await cdp(['apply', '-'], { input: 'version: 1\nsources: [{name: ""}]' });
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.errors).toContain('sources[0].name must be longer');
    });
  });
});
