import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { Database } from '../../src/platform/database/database';
import { SecretBox } from '../../src/platform/secrets/secret-box';
import { aToken } from '../support/a-token';
import { type ApiClient, anApiClient } from '../support/api-client';
import { startTestService, type TestService } from '../support/test-service';

/** What the tests of names look at. */
interface Created {
  readonly id: string;
  readonly message: string;
}

const UNKNOWN_ID = '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b';

describe('the Management API', () => {
  let service: TestService;
  let api: ApiClient;

  beforeAll(async () => {
    service = await startTestService();
    api = await anApiClient(service);
  });
  afterAll(() => service.close());

  describe('sources', () => {
    it('creates a source with a write key, lists, shows, changes and deletes it', async () => {
      const created = await api.post('/sources', { name: 'Web shop', description: 'front end' });
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({ name: 'Web shop', description: 'front end', enabled: true });
      expect(created.body.writeKey).toMatch(/^[0-9a-f]{64}$/);
      const { id } = created.body;

      const listed = await api.get('/sources');
      expect(listed.status).toBe(200);
      const silent = { ...created.body, lastEventAt: null };
      expect(listed.body).toContainEqual(silent);
      expect((await api.get(`/sources/${id}`)).body).toEqual(silent);

      const changed = await api.put(`/sources/${id}`, { enabled: false });
      expect(changed.status).toBe(200);
      expect(changed.body).toMatchObject({ name: 'Web shop', description: 'front end', enabled: false });

      expect((await api.delete(`/sources/${id}`)).status).toBe(204);
      expect((await api.get(`/sources/${id}`)).status).toBe(404);
    });

    const fed = (name: string, ids: readonly string[] | null): Record<string, unknown> => ({
      name,
      type: 'webhook',
      config: { url: 'https://receiver.example/hook' },
      sources: ids,
    });

    it('keeps a source that destinations name', async () => {
      const { body: source } = await api.post('/sources', { name: 'Named' });
      const { body: destination } = await api.post('/destinations', fed('Fed by it', [source.id]));
      expect(await api.delete(`/sources/${source.id}`)).toMatchObject({
        status: 409,
        body: { code: 'source_in_use', message: expect.stringContaining('"Named": "Fed by it".') },
      });
      expect(await api.delete(`/sources/${source.id.toUpperCase()}`)).toMatchObject({ status: 409 });
      expect(await api.get(`/sources/${source.id}`)).toMatchObject({ status: 200 });
      await api.put(`/destinations/${destination.id}`, { sources: null });
      expect(await api.delete(`/sources/${source.id}`)).toMatchObject({ status: 204 });
      await api.delete(`/destinations/${destination.id}`);
    });

    it.each(['create', 'update'])(
      'is there for a %s of a destination, or gone, whoever was first',
      async (action) => {
        for (let round = 0; round < 10; round += 1) {
          const { body: source } = await api.post('/sources', { name: `Raced ${action} ${round}` });
          const { body: present } = await api.post('/destinations', fed(`Raced ${action} ${round}`, null));
          const [named, deleted] = await Promise.all([
            action === 'create'
              ? api.post('/destinations', fed(`New ${round}`, [source.id]))
              : api.put(`/destinations/${present.id}`, { sources: [source.id] }),
            api.delete(`/sources/${source.id}`),
          ]);
          expect([
            [201, 409],
            [200, 409],
            [400, 204],
          ]).toContainEqual([named.status, deleted.status]);
          for (const { id } of [present, named.body])
            if (id !== undefined) await api.delete(`/destinations/${id}`);
        }
      },
    );

    it('deletes when a client labels a request without a body as JSON', async () => {
      const { body } = await api.post('/sources', { name: 'Labelled' });
      const answer = await fetch(`${service.url}/sources/${body.id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${await aToken(service)}`, 'content-type': 'application/json' },
      });
      expect(answer.status).toBe(204);
    });

    it('tells sources apart by their id, whatever their names', async () => {
      const first = await api.post('/sources', { name: 'Twice' });
      const second = await api.post('/sources?allowDuplicate=true', { name: 'Twice' });
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.body.writeKey).not.toBe(first.body.writeKey);
    });

    it.each([
      ['nothing', undefined],
      ['an array', []],
      ['no name', {}],
      ['a blank name', { name: '   ' }],
      ['a NUL character', { name: 'a\u0000b' }],
      ['an escape sequence of a terminal', { name: 'a\u001b[2Jb' }],
      ['half a character', '{"name":"a\\ud83d"}'],
      ['a name very long', { name: 'x'.repeat(1_000_000) }],
      ['names that objects have anyway', { name: 'x', constructor: 1, toString: 2, hasOwnProperty: 3 }],
      ['arrays a hundred thousand deep', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      ['a number for a name', { name: 1 }],
      ['a name too long', { name: 'x'.repeat(201) }],
      ['null for a name', { name: null }],
      ['null for a description', { name: 'Null', description: null }],
      ['a write key of its own', { name: 'Mine', writeKey: 'abc' }],
      ['an id of its own', { name: 'Mine', id: UNKNOWN_ID }],
      ['broken JSON', '{"name":'],
      ['a prototype', '{"__proto__":{"enabled":false},"name":"x"}'],
    ])('answers 400 to a source of %s', async (_, body) => {
      const answer = await api.post('/sources', body);
      expect(answer.status).toBe(400);
      expect(answer.headers.get('content-type')).toContain('application/problem+json');
      expect(answer.body).toMatchObject({ status: 400, title: 'Bad Request', instance: '/sources' });
      expect(answer.body.code).toEqual(expect.any(String));
      expect(answer.body.requestId).toBe(answer.headers.get('x-request-id'));
    });

    it('keeps members with the names of what every object has where any JSON may be, and refuses them elsewhere', async () => {
      const webhook = { type: 'webhook', config: { url: 'https://receiver.example/' } };
      const constant = { path: 'properties.car', value: { constructor: 'Ferrari', of: [{ toString: 1 }] } };
      const made = await api.post('/destinations', {
        ...webhook,
        name: 'Races',
        mapping: { constant: [constant] },
      });
      expect(made.body.mapping.constant).toEqual([constant]);
      const schema = { properties: { constructor: { type: 'string' } } };
      const rules = [{ type: 'track', event: 'Lap', schema, onViolation: 'observe' }];
      expect((await api.post('/tracking-plans', { name: 'Races', rules })).body.rules).toEqual(rules);
      const refused: [string, string, object][] = [
        ['filter.toString', '/destinations', { ...webhook, name: 'f', filter: { toString: ['track'] } }],
        [
          'rateLimit.valueOf',
          '/destinations',
          { ...webhook, name: 'r', rateLimit: { perSecond: 1, valueOf: 2 } },
        ],
        [
          'config.constructor',
          '/destinations',
          { ...webhook, name: 'c', config: { ...webhook.config, constructor: 1 } },
        ],
        [
          'sources[0].constructor',
          '/config?dryRun=true',
          { version: 1, sources: [{ name: 'x', constructor: 1 }] },
        ],
      ];
      for (const [path, to, body] of refused) {
        const answer = await api.send(to.startsWith('/config') ? 'PUT' : 'POST', to, JSON.stringify(body));
        expect([path, answer.status, answer.body.errors]).toEqual([
          path,
          400,
          [expect.objectContaining({ path, code: 'unknown_field' })],
        ]);
      }
    });

    const constantOf = (value: string): string =>
      `{"name":"P","type":"webhook","config":{"url":"https://p.example/"},"mapping":{"constant":[{"path":"properties.p","value":${value}}]}}`;
    it.each([
      ['__proto__', '{"__proto__":{"polluted":1},"name":"x"}'],
      ['mapping.constant[0].value.__proto__', constantOf('{"__proto__":{"polluted":1}}')],
      [
        'mapping.constant[0].value.constructor.prototype.__proto__',
        constantOf('{"constructor":{"prototype":{"\\u005f_proto__":{"polluted":1}}}}'),
      ],
    ])('refuses %s in JSON and in YAML, naming it', async (path, json) => {
      const told = (answer: { body: { errors: object[] } }): object[] => answer.body.errors;
      const error = (at: string): object => expect.objectContaining({ path: at, code: 'unknown_field' });
      expect(told(await api.post('/destinations', json))).toContainEqual(error(path));
      const document = `{"version":1,"destinations":[${json}]}`;
      const inYaml = api.with({ 'content-type': 'application/yaml' });
      for (const client of [api, inYaml]) {
        const answer = await client.put('/config?dryRun=true', document);
        expect(told(answer)).toContainEqual(error(`destinations[0].${path}`));
      }
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    });

    it('takes a prototype that is a member like others, and changes none by it', async () => {
      const value = { constructor: { prototype: { polluted: 1 } }, hasOwnProperty: null };
      const made = await api.post('/destinations', constantOf(JSON.stringify(value)));
      expect(made.body.mapping.constant).toEqual([{ path: 'properties.p', value }]);
      expect((await api.get(`/destinations/${made.body.id}`)).body.mapping.constant[0].value).toEqual(value);
      expect((await api.delete(`/destinations/${made.body.id}`)).status).toBe(204);
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
    });

    it.each(['not-a-uuid', UNKNOWN_ID, '%00', encodeURIComponent("' or 1=1 --")])(
      'answers 404 to the unknown source %s',
      async (id) => {
        expect((await api.get(`/sources/${id}`)).status).toBe(404);
        expect((await api.put(`/sources/${id}`, { name: 'New' })).status).toBe(404);
        expect((await api.delete(`/sources/${id}`)).status).toBe(404);
      },
    );
  });

  describe.each([
    ['/sources', {}],
    ['/destinations', { type: 'webhook', config: { url: 'https://orders.example.com/events' } }],
    ['/segments', { rules: [] }],
  ])('names in %s', (path, members) => {
    const create = (name: string, query = ''): ReturnType<typeof api.post<Created>> =>
      api.post(`${path}${query}`, { name, ...members });

    it('are there once, unless somebody insists', async () => {
      const first = await create('Once');
      expect(first.status).toBe(201);
      const taken = await create('Once');
      expect(taken).toMatchObject({
        status: 409,
        body: {
          code: 'name_taken',
          existingId: first.body.id,
          errors: [{ path: 'name', code: 'name_taken' }],
        },
      });
      expect(taken.body.message).toContain('?allowDuplicate=true');
      expect(await create('Once', '?allowDuplicate=maybe')).toMatchObject({ status: 400 });
      expect(await create('once')).toMatchObject({ status: 201 });
      const twin = await create('Once', '?allowDuplicate=true');
      expect(twin.status).toBe(201);
      // One that shares its name can be changed in everything else.
      const own = `${path}/${twin.body.id}`;
      expect(
        await api.put(own, { name: 'Once', enabled: path === '/segments' ? undefined : false }),
      ).toMatchObject({
        status: 200,
      });
      expect(await api.put(own, { name: 'once' })).toMatchObject({
        status: 409,
        body: { code: 'name_taken' },
      });
      expect(await api.put(`${own}?allowDuplicate=true`, { name: 'once' })).toMatchObject({ status: 200 });
      expect(await api.put(own, { name: 'Only' })).toMatchObject({ status: 200 });
      expect(await create('Only')).toMatchObject({ status: 409 });
      await api.delete(own);
      expect(await create('Only')).toMatchObject({ status: 201 });
    });

    it('are there once when several ask in the same moment', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => create('Raced')));
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([201, ...Array<number>(7).fill(409)]);
    });
  });

  describe('destinations', () => {
    const url = 'https://orders.example.com/events';

    it('shows the secret in full on create only', async () => {
      const created = await api.post('/destinations', {
        name: 'Orders',
        type: 'webhook',
        config: { url, secret: 'a-secret-of-some-length-9f3b' },
      });
      expect(created.status).toBe(201);
      expect(created.body.config).toEqual({ url, secret: 'a-secret-of-some-length-9f3b' });
      const shown = await api.get(`/destinations/${created.body.id}`);
      expect(shown.body.config).toEqual({ url, secret: '****9f3b' });
      expect((await api.get('/destinations')).body).toContainEqual(shown.body);
    });

    it('makes a secret when there is none', async () => {
      const created = await api.post('/destinations', { name: 'Made', type: 'webhook', config: { url } });
      expect(created.body.config.secret.length).toBeGreaterThan(30);
    });

    it('keeps a secret that an update leaves out or sends masked, and replaces one that it sends', async () => {
      const { body } = await api.post('/destinations', {
        name: 'Kept',
        type: 'webhook',
        config: { url, secret: 'the-first-secret-1111' },
      });
      const path = `/destinations/${body.id}`;
      const moved = await api.put(path, { config: { url: `${url}/2` } });
      expect(moved.body.config).toEqual({ url: `${url}/2`, secret: '****1111' });
      const roundTrip = await api.put(path, { config: moved.body.config });
      expect(roundTrip.body.config).toEqual({ url: `${url}/2`, secret: '****1111' });
      const replaced = await api.put(path, { config: { url, secret: 'the-second-secret-2222' } });
      expect(replaced.body.config).toEqual({ url, secret: '****2222' });
      const renamed = await api.put(path, { name: 'Kept and renamed' });
      expect(renamed.body).toMatchObject({ name: 'Kept and renamed', config: { url, secret: '****2222' } });
    });

    it.each([
      ['x', 'invalid_secret'],
      ['whsec_eA==', 'invalid_secret'],
      ['****9f3b', 'masked_secret'],
    ])('refuses the secret %s: %s', async (secret, code) => {
      const short = await api.post('/destinations', { name: 'X', type: 'webhook', config: { url, secret } });
      expect(short).toMatchObject({ status: 400, body: { errors: [{ path: 'config.secret', code }] } });
      const { body } = await api.post('/destinations?allowDuplicate=true', {
        name: 'Refusing',
        type: 'webhook',
        config: { url, secret: 'the-first-secret-1111' },
      });
      const changed = await api.put(`/destinations/${body.id}`, { config: { url, secret } });
      expect(changed).toMatchObject({ status: 400, body: { errors: [{ path: 'config.secret', code }] } });
    });

    it('lets a secret stay that was stored when shorter ones were taken, and judges the rest', async () => {
      const { body } = await api.post('/destinations', { name: 'Old', type: 'webhook', config: { url } });
      const sealed = service.app.get(SecretBox, { strict: false }).seal(JSON.stringify({ secret: 'x' }));
      const change = 'update destination set secrets_sealed = $2 where id = $1';
      await service.app.get(Database, { strict: false }).query(change, [body.id, sealed]);
      const path = `/destinations/${body.id}`;
      for (const secret of [undefined, '****', 'x']) {
        const moved = await api.put(path, { config: { url: `${url}/2`, secret } });
        expect(moved).toMatchObject({ status: 200, body: { config: { secret: '****' } } });
      }
      const inside = await api.put(path, { config: { url: 'http://169.254.169.254/' } });
      expect(inside).toMatchObject({ status: 400, body: { errors: [{ path: 'config.url' }] } });
    });

    it('says that a config is whole to who changes a part of it', async () => {
      const { body } = await api.post('/destinations', { name: 'Whole', type: 'webhook', config: { url } });
      const answer = await api.put(`/destinations/${body.id}`, { config: { secret: 'another-secret-3333' } });
      expect(answer.status).toBe(400);
      expect(answer.body.errors[0]).toMatchObject({
        path: 'config.url',
        message: expect.stringContaining('replaces the old one as a whole') as string,
      });
    });

    it('needs no secret of a webhook, as its schema says', async () => {
      const { body } = await api.get('/connectors');
      const webhook = body.find(({ id }: { id: string }) => id === 'webhook');
      expect(webhook.configSchema.required).toEqual(['url']);
    });

    it('answers 400 that lists what is installed to an unknown type', async () => {
      const answer = await api.post('/destinations', { name: 'X', type: 'carrier-pigeon', config: {} });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toContain('webhook');
      expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'type', code: 'unknown' })]);
    });

    it('answers 400 that names the field to a bad config', async () => {
      const answer = await api.post('/destinations', {
        name: 'X',
        type: 'webhook',
        config: { url: 1, colour: 'red' },
      });
      expect(answer.status).toBe(400);
      const paths = answer.body.errors.map((error: { path: string }) => error.path);
      expect(paths).toEqual(expect.arrayContaining(['config.url', 'config.colour']));
      const ftp = { name: 'X', type: 'webhook', config: { url: 'ftp://example.com' } };
      expect((await api.post('/destinations', ftp)).body.errors).toEqual([
        expect.objectContaining({ path: 'config.url' }),
      ]);
    });

    it('tells what is wrong with the config and what is wrong with the filter at once', async () => {
      const wrong = {
        config: { url: 'ftp://example.com' },
        filter: { types: ['no such type'] },
        sources: ['01890a5d-ac96-774b-bcce-b302099a8057'],
      };
      const given = { name: 'To be wrong', type: 'webhook', config: { url: 'https://93.184.215.14/' } };
      const { body: made } = await api.post('/destinations', given);
      for (const answer of [
        await api.post('/destinations', { ...given, name: 'Wrong', ...wrong }),
        await api.put(`/destinations/${made.id}`, wrong),
      ]) {
        expect(answer.status).toBe(400);
        const paths = answer.body.errors.map((error: { path: string }) => error.path).sort();
        expect(paths).toEqual(['config.url', 'filter.types[0]', 'sources[0]']);
      }
      await api.delete(`/destinations/${made.id}`);
    });

    it('says in a sentence that an address is not public', async () => {
      const inside = { name: 'Inside', type: 'webhook', config: { url: 'http://10.0.0.1/' } };
      expect((await api.post('/destinations', inside)).body.detail).toBe(
        'config.url leads to an address that is not public: CDP_EGRESS_ALLOW opens private networks',
      );
    });

    it('refuses to change the type', async () => {
      const { body } = await api.post('/destinations', { name: 'Fixed', type: 'webhook', config: { url } });
      const answer = await api.put(`/destinations/${body.id}`, { type: 's3-export' });
      expect(answer.status).toBe(400);
      expect(answer.body.code).toBe('destination_type_fixed');
      expect((await api.put(`/destinations/${body.id}`, { type: 'webhook' })).status).toBe(200);
    });
  });

  it.each([
    '/sources',
    '/destinations',
    '/segments',
    '/segments/preview',
    `/destinations/${UNKNOWN_ID}/filter/preview`,
  ])('answers 400 to POST %s of what is nested too deep, naming the member', async (path) => {
    const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
    const body = `{"name":"Deep","type":"webhook","config":{},"rules":[],"filter":${deep}}`;
    const answer = await api.post(path, body);
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toEqual([
      { path: 'filter', code: 'too_deep', message: expect.any(String) as string },
    ]);
  });

  const webhook = { name: 'Wrong', type: 'webhook', config: { url: 'https://receiver.example/' } };
  it.each<[string, string, unknown, Record<string, string>]>([
    [
      'one list',
      'POST /destinations',
      { ...webhook, sources: 'foo' },
      { sources: 'sources must be an array' },
    ],
    ...['foo', UNKNOWN_ID].map((ids): [string, string, unknown, Record<string, string>] => [
      `ids that are a text, ${ids}`,
      'POST /quarantined-events/discard',
      { ids },
      { ids: 'ids must be an array' },
    ]),
    [
      'one id for a list of them',
      `POST /destinations/${UNKNOWN_ID}/filter/preview`,
      { filter: null, sources: UNKNOWN_ID },
      { sources: 'sources must be an array' },
    ],
    [
      'what stands in lists',
      'POST /destinations',
      { ...webhook, sources: ['foo', UNKNOWN_ID, 7], noticeTraits: [5], notices: ['delete', 'foo'] },
      {
        'sources[0]': 'sources[0] must be a UUID',
        'sources[2]': 'sources[2] must be a UUID',
        'noticeTraits[0]': 'noticeTraits[0] must be a string',
        'notices[1]': expect.stringMatching(/^notices\[1\] must be one of /) as string,
      },
    ],
    [
      'what an object lacks',
      'POST /destinations',
      { ...webhook, rateLimit: { foo: 1 }, order: [{ by: 1 }], enabled: 1 },
      {
        'rateLimit.foo': 'foo is not a known field; known are perSecond',
        'rateLimit.perSecond': 'perSecond is missing: perSecond must be a number',
        order: 'order must be an object',
        enabled: 'enabled must be a boolean value',
      },
    ],
    [
      'a list that is not there',
      'POST /sources',
      { name: 'Wrong', kind: 'webhook', signature: { scheme: 'github' } },
      { 'signature.secrets': 'secrets is missing: secrets must be an array' },
    ],
    [
      'texts in a list',
      'POST /sources',
      { name: 'Wrong', kind: 'webhook', signature: { scheme: 'github', secrets: ['a', '', 7] } },
      {
        'signature.secrets[1]':
          'secrets[1] must be longer than or equal to 1 and shorter than or equal to 1024 characters',
        'signature.secrets[2]': 'secrets[2] must be a string',
      },
    ],
    [
      'an empty name',
      'POST /sources',
      { name: '' },
      { name: 'name must be longer than or equal to 1 characters' },
    ],
    [
      'an empty parameter',
      'GET /profiles?anonymousId=',
      undefined,
      { anonymousId: 'anonymousId must be longer than or equal to 1 characters' },
    ],
    ['a body', 'POST /sources', [], { '': 'the body must be an object' }],
    ['a body of one text', 'POST /sources', '"foo"', { '': 'the body must be an object' }],
    [
      'what is in a document',
      'PUT /config',
      { version: 1, sources: [1, { name: 1 }] },
      { 'sources[0]': 'sources[0] must be an object', 'sources[1].name': 'name must be a string' },
    ],
  ])('answers 400 that says once what is wrong with %s: %s', async (_, operation, body, errors) => {
    const [method = '', path = ''] = operation.split(' ');
    const answer = await api.send(method, path, body);
    expect(answer.status).toBe(400);
    const told = (answer.body.errors as { path: string; message: string }[]).map((error) => [
      error.path,
      error.message,
    ]);
    expect(told).toHaveLength(Object.keys(errors).length);
    expect(Object.fromEntries(told)).toEqual(errors);
  });

  it('says where a body is no JSON, and nothing of what it holds', async () => {
    expect((await api.post('/sources', '{"name":"x",}')).body).toMatchObject({
      code: 'invalid_request',
      detail: 'The body is not valid JSON. Expected double-quoted property name at line 1, column 13.',
    });
    expect((await api.post('/sources', ' ')).body.detail).toBe('The body is empty: send JSON.');
  });

  it('refuses a body where an operation takes none', async () => {
    const path = `/destinations/${UNKNOWN_ID}/test`;
    expect((await api.post(path, { foo: 1 })).body).toMatchObject({
      status: 400,
      errors: [{ path: 'foo', code: 'unknown_field' }],
    });
    expect((await api.post(path, {})).status).toBe(404);
  });

  it.each([
    ['/sources?cursor=x', 'cursor: must be from the Link header of an earlier answer'],
    ['/events?cursor=x', 'cursor: must be from the Link header of an earlier answer'],
    ['/profiles?cursor=x', 'cursor: must be from the Link header of an earlier answer'],
    ['/events/tail?filter=x', 'filter: Must be a JSON object.'],
    ['/events/tail?filter=%7B', 'filter: Must be a JSON object.'],
  ])('says what GET %s should have', async (path, detail) => {
    expect((await api.get(path)).body).toMatchObject({ status: 400, detail });
  });

  it('says that a filter of the tail is too deep', async () => {
    const filter = `{"conditions":${'['.repeat(3_900)}${']'.repeat(3_900)}}`;
    const { status, body } = await api.get(`/events/tail?filter=${filter}`);
    expect({ status, detail: body.detail }).toEqual({
      status: 400,
      detail: 'conditions: must not be nested deeper than 64 levels',
    });
  });

  it('says the first hundred of very many things that are wrong', async () => {
    const members = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`x${n}`, 0]));
    const requests: [string, object][] = [
      [`/destinations/${UNKNOWN_ID}/pause`, members],
      ['/sources', members],
      ['/segments/preview', { rules: [members] }],
      [`/destinations/${UNKNOWN_ID}/pause`, { ['.'.repeat(200_000)]: 0 }],
    ];
    for (const [path, body] of requests) {
      const answer = await api.post(path, body);
      expect(answer.status).toBe(400);
      expect(answer.body.errors.length).toBeGreaterThan(0);
      expect(answer.body.errors.length).toBeLessThanOrEqual(100);
    }
  });

  it('refuses an object of more members than any may have, naming it', async () => {
    const members = Object.fromEntries(Array.from({ length: 2_001 }, (_, n) => [`x${n}`, 0]));
    const rules = [{ type: 'track', event: 'Paid', schema: { properties: members } }];
    const answers = [
      { path: '', answer: await api.post('/sources', members) },
      { path: 'rules[0]', answer: await api.post('/segments/preview', { rules: [members] }) },
      {
        path: 'rules[0].schema.properties',
        answer: await api.post('/tracking-plans', { name: 'Wide', rules }),
      },
      {
        path: 'sources[0]',
        answer: await api.put('/config?dryRun=true', { version: 1, sources: [members] }),
      },
    ];
    for (const { path, answer } of answers) {
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path, code: 'too_many_members' }] } });
    }
  });

  it('names what is wrong once', async () => {
    expect((await api.get('/sources?limit=0')).body.detail).toBe('limit must not be less than 1');
    const { body } = await api.post('/transformations', { name: 'Broken', code: 'export function (' });
    expect(body.detail).toMatch(/^code: line 1: SyntaxError/);
  });

  it.each(['/segments', `/sources/${UNKNOWN_ID}`, '/audit', '/destinations', '/profiles', '/dead-letters'])(
    'answers 400 that names a parameter which GET %s does not know',
    async (path) => {
      const answer = await api.get(`${path}?limti=3`);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual([expect.objectContaining({ path: 'limti', code: 'unknown_field' })]);
    },
  );

  it.each(['/profiles/ada?', '/dead-letters?', `/destinations/${UNKNOWN_ID}/deliveries?`])(
    'answers 400 to GET %s with a range that ends before it begins',
    async (path) => {
      const answer = await api.get(`${path}from=2026-01-02&to=2026-01-01T23:59:59%2B00:00`);
      expect(answer.body).toMatchObject({ status: 400, errors: [{ path: 'to', code: 'is_not_before' }] });
      const empty = await api.get(`${path}from=2026-01-02&to=2026-01-02T01:00:00%2B01:00`);
      expect([200, 404]).toContain(empty.status);
    },
  );

  it.each(['/dead-letters/replay', `/destinations/${UNKNOWN_ID}/replay`])(
    'answers 400 to POST %s of a range that ends before it begins',
    async (path) => {
      const range = { from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' };
      const { body } = await api.post(path, {
        ...(path.startsWith('/dead') ? { destinationId: UNKNOWN_ID } : {}),
        ...range,
      });
      expect(body).toMatchObject({ status: 400, errors: [{ path: 'to', code: 'is_not_before' }] });
    },
  );

  describe('errors', () => {
    it('carries a sane request id through, and replaces any other', async () => {
      const sane = await api.with({ 'x-request-id': 'my-trace.42' }).get('/sources/x');
      expect(sane.headers.get('x-request-id')).toBe('my-trace.42');
      expect(sane.body.requestId).toBe('my-trace.42');
      const odd = await api.with({ 'x-request-id': 'x'.repeat(500) }).get('/sources/x');
      expect(odd.body.requestId).toMatch(/^[0-9a-f-]{36}$/);
    });

    it.each([
      ['no token', ''],
      ['a token that is none', 'Bearer abc'],
      ['basic credentials', 'Basic YTpi'],
    ])('answers 401 with WWW-Authenticate to %s', async (_, authorization) => {
      const answer = await api.with({ authorization }).get('/sources');
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="cdp"/);
      expect(answer.body).toMatchObject({ code: 'unauthorized', status: 401 });
    });

    it.each([
      ['PUT', '/config', 'application/yaml', '', 401],
      ['PUT', '/config', 'application/yaml', 'Bearer abc', 401],
      ['POST', '/sources', 'application/json', '', 401],
      ['POST', '/no-such-path', 'application/json', '', 404],
      ['PATCH', '/sources', 'application/json', '', 405],
      ['PUT', '/queues/api/queues/pause', 'application/json', '', 401],
    ])('reads nothing of a stranger: %s %s of %s', async (method, path, type, authorization, status) => {
      const request = httpRequest(`${service.url}${path}`, {
        method,
        headers: { 'content-type': type, 'content-length': 100_000, authorization },
      });
      try {
        request.flushHeaders(); // And nothing of the body.
        const [answer] = (await once(request, 'response')) as [IncomingMessage];
        expect(answer.statusCode).toBe(status);
      } finally {
        request.destroy();
      }
    });

    it('keeps requests at the same moment apart', async () => {
      const strangers = api.with({ authorization: 'Bearer abc' });
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? api : strangers).get('/sources')),
      );
      expect(answers.map(({ status }) => status)).toEqual(
        answers.map((_, index) => (index % 2 === 0 ? 200 : 401)),
      );
    });

    it('answers 405 with what is allowed to another method, whoever asks', async () => {
      for (const client of [api, api.with({ authorization: '' })]) {
        const answer = await client.send('PATCH', `/sources/${UNKNOWN_ID}?x=1`, { name: 'x' });
        expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed', status: 405 } });
        expect(answer.headers.get('allow')).toBe('DELETE, GET, HEAD, PUT');
        expect((await client.send('DELETE', '/sources')).headers.get('allow')).toBe('GET, HEAD, POST');
        expect((await client.send('DELETE', '/nothing')).status).toBe(404);
      }
    });

    it.each([undefined, { name: 'x' }])('answers 405 to QUERY with the body %j', async (body) => {
      const answer = await api.send('QUERY', '/sources?limit=1', body);
      expect(answer).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
      expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
      const events = await api.send('QUERY', '/v1/batch', body);
      expect([events.status, events.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
      const strangers = await api.with({ authorization: '' }).send('QUERY', '/queues/api/queues', {});
      expect(strangers.headers.get('allow')).toBeNull();
    });

    it.each([
      ['application/x-www-form-urlencoded', 'name=Form'],
      ['application/x-www-form-urlencoded; charset=utf-8', 'name=Form'],
      ['text/plain', '{"name":"Plain"}'],
      ['application/json; charset=iso-8859-1', '{"name":"Latin"}'],
      ['application/json;charset="UTF-16"', '{"name":"Wide"}'],
    ])('answers 415 to a body of %s', async (type, body) => {
      const answer = await api.with({ 'content-type': type }).post('/sources', body);
      expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    });

    it.each([
      ['application/json; charset=UTF-8', 'Ünï'],
      ['application/json;charset="utf8"', 'Quoted'],
      ['Application/JSON', 'Case'],
    ])('takes a body of %s, with a byte order mark or without', async (type, name) => {
      const client = api.with({ 'content-type': type });
      for (const mark of ['', '\uFEFF']) {
        const answer = await client.post('/sources', `${mark}{"name":"${name}${mark === '' ? '' : ' 2'}"}`);
        expect(answer).toMatchObject({ status: 201 });
      }
    });

    it.each([
      ['application/json', 'POST', '/sources', '{"name":"Café"}'],
      ['application/yaml', 'PUT', '/config', 'version: 1\nsources:\n  - name: Café\n'],
    ])('answers 400 to a body of %s that is not UTF-8', async (type, method, path, text) => {
      const client = api.with({ 'content-type': type });
      const answer = await client.send(method, path, Buffer.from(text, 'latin1'));
      expect(answer).toMatchObject({ status: 400, body: { message: 'The body is not UTF-8.' } });
      const { body: sources } = await api.get<{ name: string }[]>('/sources');
      expect(sources.filter(({ name }) => name.startsWith('Caf'))).toEqual([]);
    });

    it('takes a configuration in YAML with a byte order mark', async () => {
      const client = api.with({ 'content-type': 'application/yaml' });
      const answer = await client.put(
        '/config?dryRun=true',
        '\uFEFFversion: 1\nsources:\n  - name: Marked\n',
      );
      expect(answer).toMatchObject({ status: 200 });
    });

    it('answers problem details to unknown paths, large bodies and other media types', async () => {
      expect((await api.get('/nothing')).body).toMatchObject({ status: 404, code: 'not_found' });
      const large = await api.post('/sources', { name: 'x', description: 'x'.repeat(1_100_000) });
      expect(large.body).toMatchObject({ status: 413, code: 'payload_too_large' });
      const long = await api.with({ 'x-long': 'x'.repeat(20_000) }).get('/sources');
      expect(long).toMatchObject({ status: 431, body: { code: 'headers_too_large', status: 431 } });
      const xml = await api.with({ 'content-type': 'application/xml' }).post('/sources', '<name/>');
      expect(xml.body).toMatchObject({ status: 415, code: 'unsupported_media_type' });
    });
  });

  it('keeps no write key and no secret in the database that could be read', async () => {
    const source = await api.post('/sources', { name: 'Sealed' });
    const secret = createHash('sha256').update('secret').digest('hex');
    await api.post('/destinations', {
      name: 'Sealed',
      type: 'webhook',
      config: { url: 'https://example.com', secret },
    });
    const { Client } = await import('pg');
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      'select s::text as row from source s union all select d::text from destination d',
    );
    await client.end();
    const dump = rows.map(({ row }: { row: string }) => row).join('\n');
    expect(dump).toContain('Sealed');
    expect(dump).not.toContain(source.body.writeKey);
    expect(dump).not.toContain(secret);
  });
});
