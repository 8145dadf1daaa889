import { join } from 'node:path';
import { SignJWT } from 'jose';
import { Client } from 'pg';
import { WebhookConnector } from '../../src/connectors/webhook/webhook.connector';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { forgetOldKeys } from '../../src/platform/idempotency/key-claims';
import { resealAll } from '../../src/platform/secrets/reseal-all';
import { SecretBox } from '../../src/platform/secrets/secret-box';
import { aToken } from '../support/a-token';
import { type ApiAnswer, type ApiClient, anApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { dumpOf } from '../support/dump-of';
import { eventually } from '../support/eventually';
import { type Ended, runToEnd } from '../support/run-to-end';
import { startTestService, TEST_ENCRYPTION_KEY, type TestService } from '../support/test-service';

const url = 'https://orders.example.com/events';

describe('changing configuration', () => {
  let service: TestService;
  let api: ApiClient;
  let names = 0;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false' } });
    api = await anApiClient(service);
  });
  afterAll(() => service.close());

  const database = (): Database => service.app.get(Database);
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies are asserted on member by member.
  const aSource = async (): Promise<any> => (await api.post('/sources', { name: `Source ${++names}` })).body;
  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  const aDestination = async (secret = 'a-secret-of-some-length-9f3b'): Promise<any> => {
    const given = { name: `Destination ${++names}`, type: 'webhook', config: { url, secret } };
    return (await api.post('/destinations', given)).body;
  };

  // oxlint-disable-next-line typescript/no-explicit-any -- as above.
  const aSegment = async (): Promise<any> =>
    (await api.post('/segments', { name: `Segment ${++names}`, rules: [] })).body;

  describe('versions', () => {
    it.each([
      ['sources', aSource],
      ['destinations', aDestination],
      ['segments', aSegment],
    ])('refuses a change of %s that was meant for an older version', async (kind, create) => {
      const { id } = await create();
      const path = `/${kind}/${id}`;
      const etag = (await api.get(path)).headers.get('etag') ?? '';
      expect(etag).toBe('"1"');
      const first = await api.with({ 'if-match': etag }).put(path, { name: `${kind} one` });
      expect(first.status).toBe(200);
      expect(first.headers.get('etag')).toBe('"2"');
      const second = await api.with({ 'if-match': etag }).put(path, { name: `${kind} two` });
      expect(second).toMatchObject({ status: 412, body: { code: 'version_mismatch' } });
      expect((await api.with({ 'if-match': etag }).delete(path)).status).toBe(412);
      expect((await api.get(path)).body.name).toBe(`${kind} one`);
      expect((await api.with({ 'if-match': '"1", "2"' }).delete(path)).status).toBe(204);
    });

    it.each([
      ['sources', aSource],
      ['destinations', aDestination],
    ])(
      'deletes one of %s once when many ask for it at once, and changes none that is gone',
      async (kind, create) => {
        for (let round = 0; round < 5; round += 1) {
          const { id } = await create();
          const path = `/${kind}/${id}`;
          const deletions = await Promise.all(Array.from({ length: 6 }, () => api.delete(path)));
          const statuses = deletions.map(({ status }) => status);
          expect([...statuses].sort((one, other) => one - other)).toEqual([204, 404, 404, 404, 404, 404]);
          expect((await api.put(path, { name: 'Gone' })).status).toBe(404);
        }
      },
    );

    const secret = 'a-secret-of-some-length-9f3b';
    const signature = { scheme: 'github', secrets: ['It is a secret to everybody'] };
    const hashed = { hashKey: 'a-key-of-32-characters-and-more-', hash: [{ path: 'traits.email' }] };
    const rules = [
      { type: 'track', event: 'Lap', schema: { properties: { b: {}, a: {} } }, onViolation: 'observe' },
    ];
    it.each<[string, object]>([
      ['sources', { description: 'of the shop', silentAfterMinutes: 5 }],
      ['sources', { kind: 'webhook', signature }],
      ['destinations', { type: 'webhook', config: { url, secret }, rateLimit: { perSecond: 2 } }],
      [
        'destinations',
        { type: 'webhook', config: { url, secret }, mapping: hashed, order: { by: 'person' } },
      ],
      ['segments', { rules: [{ field: 'traits.plan', operator: 'eq', value: 'pro' }] }],
      ['computed-traits', { event: 'Order', aggregate: 'count', within: '7d' }],
      ['tracking-plans', { rules }],
      ['transformations', { code: 'export const transform = (event) => event;' }],
    ])('changes nothing of %s by a PUT of what they are: %j', async (kind, members) => {
      const given = { name: `same_${++names}`, ...members };
      const created = await api.post(`/${kind}`, given);
      expect(created.status).toBe(201);
      const path = `/${kind}/${created.body.id}`;
      const { body: before } = await api.get(path);
      for (const change of [{}, given]) {
        const answer = await api.with({ 'if-match': '"1"' }).put(path, change);
        expect({ status: answer.status, etag: answer.headers.get('etag') }).toEqual({
          status: 200,
          etag: '"1"',
        });
        expect(answer.body).toMatchObject({ version: 1, updatedAt: before.updatedAt });
      }
      const audited = (await api.get(`/audit?resourceId=${created.body.id}`)).body;
      expect(audited.map(({ action }: { action: string }) => action)).toEqual(['create']);
      expect((await api.put(path, { ...given, name: `same_${++names}` })).body.version).toBe(2);
    });

    it.each(['foo', '1', '', '"1" "2"', '"1", 2'])('answers 400 to the If-Match %j', async (ifMatch) => {
      const { id } = await aSource();
      const answer = await fetch(`${service.url}/sources/${id}`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${await aToken(service)}`, 'if-match': ifMatch },
      });
      const errors = [expect.objectContaining({ path: 'If-Match' })];
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { errors },
      });
    });

    it('takes the If-Match * for any version, and a weak one for none', async () => {
      const path = `/sources/${(await aSource()).id}`;
      expect((await api.with({ 'if-match': 'W/"1"' }).delete(path)).status).toBe(412);
      expect((await api.with({ 'if-match': '*' }).delete(path)).status).toBe(204);
    });

    it('writes no half of a change when many change the same destination at once', async () => {
      const { id } = await aDestination();
      const changes = Array.from({ length: 8 }, (_, index) => ({
        name: `Whole ${index}`,
        config: {
          url: `${url}/${index}`,
          secret: `a-secret-of-some-length-${index}${index}${index}${index}`,
        },
        filter: { events: [`Event ${index}`] },
      }));
      const answers = await Promise.all(changes.map((change) => api.put(`/destinations/${id}`, change)));
      const won = answers.filter(({ status }) => status === 200);
      expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
      const { body } = await api.get(`/destinations/${id}`);
      expect(body.version).toBe(1 + won.length);
      const digit = body.name.slice(-1);
      expect(body).toMatchObject({
        config: { url: `${url}/${digit}`, secret: `****${digit.repeat(4)}` },
        filter: { events: [`Event ${digit}`] },
      });
      const entries = (await api.get(`/audit?resourceId=${id}`)).body;
      expect(entries.filter(({ action }: { action: string }) => action === 'update')).toHaveLength(
        won.length,
      );
    });

    it('lets one of two operators win who change the same destination at once', async () => {
      const { id } = await aDestination();
      const changes = Array.from({ length: 8 }, (_, index) =>
        api.with({ 'if-match': '"1"' }).put(`/destinations/${id}`, { name: `Racer ${index}` }),
      );
      const statuses = (await Promise.all(changes)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 409 || status === 412)).toHaveLength(7);
      expect((await api.get(`/destinations/${id}`)).body.version).toBe(2);
    });
  });

  describe('Idempotency-Key', () => {
    it('creates once and answers the same again', async () => {
      const keyed = api.with({ 'idempotency-key': 'create-once' });
      const first = await keyed.post('/sources', { name: 'Once' });
      const again = await keyed.post('/sources', { name: 'Once' });
      expect(again.status).toBe(201);
      expect(again.body).toEqual(first.body);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    });

    it('carries out each time what only reads, and keeps no answer that may be about people', async () => {
      const count = async (): Promise<number> =>
        (await service.app.get(Database).query('select from idempotency_key')).length;
      const before = await count();
      const keyed = api.with({ 'idempotency-key': 'preview' });
      for (const rules of [[], [{ field: 'plan', operator: 'exists' }]]) {
        const answer = await keyed.post('/segments/preview', { rules });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('idempotent-replayed')).toBeNull();
      }
      expect(await count()).toBe(before);
    });

    it('refuses the same key with another body, and keeps keys of others apart', async () => {
      const keyed = api.with({ 'idempotency-key': 'reused' });
      expect((await keyed.post('/sources', { name: 'Reused' })).status).toBe(201);
      expect((await keyed.post('/segments', { name: 'Reused', rules: [] })).status).toBe(201);
      const other = await keyed.post('/sources', { name: 'Reused otherwise' });
      expect(other).toMatchObject({ status: 409, body: { code: 'idempotency_key_reused' } });
      expect(
        (await keyed.post('/destinations', { name: 'R', type: 'webhook', config: { url } })).status,
      ).toBe(201);
    });

    it('keeps the answer from others: of another name, kind or issuer, or of no name', async () => {
      const tokens = [
        { sub: 'shop' },
        { client_id: 'shop' },
        { sub: 'shop', iss: 'https://other.example' },
        { jti: '1' },
        { jti: '2' },
      ].map((claims) =>
        new SignJWT({ scope: 'cdp:admin', ...claims })
          .setProtectedHeader({ alg: 'HS256' })
          .sign(Buffer.from(service.jwtSecret)),
      );
      const ids = new Set<string>();
      for (const token of await Promise.all(tokens)) {
        const headers = { authorization: `Bearer ${token}`, 'idempotency-key': 'shared' };
        ids.add((await api.with(headers).post('/sources', { name: `Source ${++names}` })).body.id);
      }
      expect(ids.size).toBe(tokens.length);
    });

    it('frees the key after an error', async () => {
      const keyed = api.with({ 'idempotency-key': 'free' });
      expect((await keyed.post('/sources', { name: '' })).status).toBe(400);
      expect((await keyed.post('/sources', { name: 'Freed' })).status).toBe(201);
    });

    it('creates one of many at once', async () => {
      const keyed = api.with({ 'idempotency-key': 'stampede' });
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => keyed.post('/sources', { name: 'Stampede' })),
      );
      const ids = new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id));
      expect(ids.size).toBe(1);
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    });

    it('keeps the key for a request that takes longer than a minute', async () => {
      const create = await aSlowCreate('slow');
      await changeClaims(`created_at = created_at - interval '50 seconds'`);
      await eventually(async () => {
        const [claim] = await changeClaims('token = token');
        expect(claim?.age_seconds).toBeLessThan(40);
      });
      await create.end();
      expect(await create.answer).toMatchObject({ status: 201 });
    });

    it.each([
      ['ends', 201],
      ['fails', 503],
    ])('leaves a key alone that another request has by the time that the first %s', async (_, status) => {
      const create = await aSlowCreate(`taken-${status}`);
      await changeClaims('token = gen_random_uuid()');
      await (status === 201 ? create.end() : create.fail());
      expect(await create.answer).toMatchObject({ status });
      expect(await changeClaims('answer_sealed = $$of the other one$$')).toHaveLength(1);
    });

    it('does not carry out again what is done, though its answer could not be kept', async () => {
      await database().query(`
        create function refuse_answer() returns trigger language plpgsql as
        $$ begin raise exception 'terminating connection' using errcode = '57P01'; end $$`);
      await database().query(`
        create trigger refuse_answer before update of answer_sealed on idempotency_key
        for each row execute function refuse_answer()`);
      const keyed = api.with({ 'idempotency-key': 'not kept' });
      const create = (): Promise<ApiAnswer<unknown>> =>
        keyed.post('/sources?allowDuplicate=true', { name: 'Not kept' });
      expect((await create()).status).toBe(201);
      await database().query('drop function refuse_answer cascade');
      expect(await create()).toMatchObject({ status: 409, body: { code: 'idempotency_key_busy' } });
    });

    it('is forgotten after a day, whether others come or not', async () => {
      const keyed = api.with({ 'idempotency-key': 'old' });
      await keyed.post('/sources', { name: `Source ${++names}` });
      await database().query(`
        update idempotency_key set created_at = created_at - interval '25 hours'
        where created_at = (select max(created_at) from idempotency_key)`);
      await forgetOldKeys(database());
      const old = await database().query(
        `select from idempotency_key where created_at < now() - interval '24 hours'`,
      );
      expect(old).toEqual([]);
      const again = await keyed.post('/sources', { name: `Source ${++names}` });
      expect(again).toMatchObject({ status: 201 });
    });

    it('frees the key of a request whose process died, after a minute', async () => {
      const keyed = api.with({ 'idempotency-key': 'died' });
      const create = (): Promise<ApiAnswer<{ id: string }>> =>
        keyed.post('/sources?allowDuplicate=true', { name: 'Died' });
      const { body: first } = await create();
      await database().query(
        `update idempotency_key set answer_sealed = null
         where created_at = (select max(created_at) from idempotency_key)`,
      );
      expect(await create()).toMatchObject({ status: 409, body: { code: 'idempotency_key_busy' } });
      await changeClaims(`created_at = created_at - interval '61 seconds'`);
      const again = await eventually(async () => {
        const answer = await create();
        expect(answer.status).toBe(201);
        return answer;
      });
      expect(again.body.id).not.toBe(first.id);
    });

    it('answers 400 to a key too long', async () => {
      const answer = await api
        .with({ 'idempotency-key': 'x'.repeat(300) })
        .post('/sources', { name: 'Long' });
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'Idempotency-Key' }] } });
    });

    /** It waits in PostgreSQL until it is let go on, or is cancelled there. */
    async function aSlowCreate(key: string): Promise<{
      readonly answer: Promise<ApiAnswer<unknown>>;
      readonly end: () => Promise<void>;
      readonly fail: () => Promise<void>;
    }> {
      const blocker = await database().pool.connect();
      await blocker.query('begin');
      await blocker.query('lock table source in share mode');
      const answer = api.with({ 'idempotency-key': key }).post('/sources', { name: `Source ${++names}` });
      const waiting = `from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await eventually(async () => expect((await blocker.query(`select ${waiting}`)).rows).toHaveLength(1));
      const end = async (): Promise<void> => {
        await blocker.query('rollback');
        blocker.release();
      };
      const fail = async (): Promise<void> => {
        await blocker.query(`select pg_cancel_backend(pid) ${waiting}`);
        await answer;
        await end();
      };
      return { answer, end, fail };
    }

    /** Of requests that are worked on. */
    function changeClaims(change: string): Promise<{ age_seconds: number }[]> {
      return database().query(
        `update idempotency_key set ${change} where answer_sealed is null
         returning extract(epoch from now() - created_at)::int as age_seconds`,
      );
    }
  });

  describe('rotation', () => {
    const accepts = async (writeKey: string): Promise<boolean> => {
      const authorization = `Basic ${Buffer.from(`${writeKey}:`).toString('base64')}`;
      const event = {
        type: 'track',
        event: 'x',
        userId: 'u',
        messageId: `m${++names}`,
        timestamp: new Date(),
      };
      return (await api.with({ authorization }).post('/v1/batch', { batch: [event] })).status === 200;
    };

    it('makes a new write key beside which the old one works for a while', async () => {
      const before = await aSource();
      const rotated = await api.post(`/sources/${before.id}/rotate-write-key`, {});
      expect(rotated.status).toBe(200);
      expect(rotated.body.writeKey).not.toBe(before.writeKey);
      expect(Date.parse(rotated.body.previousWriteKeyExpiresAt)).toBeGreaterThan(Date.now() + 23 * 3600_000);
      expect(await accepts(rotated.body.writeKey)).toBe(true);
      expect(await accepts(before.writeKey)).toBe(true);
    });

    it('ends no key before its time, unless told to', async () => {
      const first = await aSource();
      // oxlint-disable-next-line typescript/no-explicit-any -- bodies are asserted on member by member.
      const rotate = (overlapSeconds?: number): Promise<ApiAnswer<any>> =>
        api.post(`/sources/${first.id}/rotate-write-key`, { overlapSeconds });
      const second = (await rotate()).body;
      expect(await rotate(60)).toMatchObject({
        status: 409,
        body: {
          code: 'previous_key_in_use',
          detail: expect.stringContaining(second.previousWriteKeyExpiresAt),
        },
      });
      expect(await accepts(first.writeKey)).toBe(true);
      const third = (await rotate(0)).body;
      expect(third.previousWriteKeyExpiresAt).toBeNull();
      expect([await accepts(first.writeKey), await accepts(second.writeKey)]).toEqual([false, false]);
      expect((await rotate(1)).status).toBe(200);
      await eventually(async () => expect(await accepts(third.writeKey)).toBe(false));
      expect((await rotate(1)).status).toBe(200);
    });

    it('stops the old write key at once when asked to', async () => {
      const before = await aSource();
      const { body } = await api.post(`/sources/${before.id}/rotate-write-key`, { overlapSeconds: 0 });
      expect(await accepts(body.writeKey)).toBe(true);
      expect(await accepts(before.writeKey)).toBe(false);
    });
  });

  it('shows a source whose write key is sealed with a key that is gone, and makes it another one', async () => {
    const [lost, other] = [await aSource(), await aSource()];
    const box = new SecretBox(Config.from({ CDP_ENCRYPTION_KEY: 'a-key-that-nobody-has-any-more' }));
    const database = service.app.get(Database);
    const sealed = box.seal(lost.writeKey);
    await database.query('update source set write_key_sealed = $2 where id = $1', [lost.id, sealed]);
    expect((await api.get('/sources')).body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: lost.id, writeKey: null }),
        expect.objectContaining({ id: other.id, writeKey: other.writeKey }),
      ]),
    );
    expect(await api.put(`/sources/${lost.id}`, { description: 'x' })).toMatchObject({ status: 200 });
    const { status, body } = await api.post(`/sources/${lost.id}/rotate-write-key`, {});
    expect(status).toBe(200);
    expect((await api.get(`/sources/${lost.id}`)).body.writeKey).toBe(body.writeKey);
    expect(body.writeKey).toMatch(/^[0-9a-f]{64}$/);
  });

  describe('lists', () => {
    it.each([
      ['/sources', aSource],
      ['/segments', aSegment],
    ])('are read page by page along the Link header: %s', async (list, create) => {
      for (let index = 0; index < 5; index += 1) await create();
      const all = (await api.get(list)).body.map(({ id }: { id: string }) => id);
      const paged: string[] = [];
      let path: string | undefined = `${list}?limit=2`;
      while (path !== undefined) {
        const page: ApiAnswer<{ id: string }[]> = await api.get(path);
        paged.push(...page.body.map(({ id }) => id));
        path = /<(.+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
      }
      expect(paged).toEqual(all);
    });

    it.each([
      'limit=0',
      'limit=-1',
      'limit=1.5',
      'limit=1001',
      'limit=abc',
      'limit=',
      'limit=1&limit=2',
      'cursor=x',
      'cursor=',
      'unknown=1',
      '__proto__=1',
      'constructor=1',
    ])('answer 400 that names the parameter to ?%s', async (query) => {
      const [name] = query.split('=', 1);
      for (const listing of ['/sources', '/destinations', '/segments', '/audit', '/dead-letters']) {
        const { status, body } = await api.get(`${listing}?${query}`);
        expect({ listing, status, path: body.errors?.[0]?.path }).toEqual({
          listing,
          status: 400,
          path: name,
        });
      }
    });
  });

  describe('the audit', () => {
    it('tells who changed what, before and after, secrets masked', async () => {
      const { id } = await aDestination('a-secret-of-some-length-9f3b');
      const traced = api.with({ 'x-request-id': 'trace-1' });
      await traced.put(`/destinations/${id}`, { config: { url, secret: 'another-secret-of-length-77aa' } });
      await api.delete(`/destinations/${id}`);
      const { body } = await api.get(`/audit?resource=destination&resourceId=${id}`);
      expect(body.map(({ action }: { action: string }) => action)).toEqual(['delete', 'update', 'create']);
      expect(body[1]).toMatchObject({
        actor: 'operator@example.com',
        actorKind: 'subject',
        actorIssuer: null,
        requestId: 'trace-1',
        before: { config: { url, secret: '****9f3b' } },
        after: { config: { url, secret: '****77aa' } },
      });
      expect(body[0].after).toBeNull();
      expect(JSON.stringify(body)).not.toContain('secret-of');
    });

    it('tells of segments too', async () => {
      const rules = [{ field: 'event_count', operator: 'gte', value: 3 }];
      const { id } = (await api.post('/segments', { name: 'Audited', rules })).body;
      await api.put(`/segments/${id}`, { name: 'Audited again' });
      await api.delete(`/segments/${id}`);
      const { body } = await api.get(`/audit?resource=segment&resourceId=${id}`);
      expect(body.map(({ action }: { action: string }) => action)).toEqual(['delete', 'update', 'create']);
      expect(body[1]).toMatchObject({ before: { name: 'Audited', rules }, after: { name: 'Audited again' } });
    });

    it('keeps what a thing was called by then, also in a change that does not say so, and when it is deleted', async () => {
      const { id, name } = await aDestination();
      await api.post(`/destinations/${id}/pause`);
      await api.put(`/destinations/${id}`, { name: `${name} anew` });
      await api.post(`/destinations/${id}/resume`);
      await api.delete(`/destinations/${id}`);
      const { body } = await api.get(`/audit?resourceId=${id}`);
      expect(body.map(({ action, resourceName }: Record<string, string>) => [action, resourceName])).toEqual([
        ['delete', `${name} anew`],
        ['resume', `${name} anew`],
        ['update', `${name} anew`],
        ['pause', name],
        ['create', name],
      ]);
    });

    it('names what was changed before names were kept', async () => {
      const { id, name } = await aDestination();
      await database().query('update audit_entry set resource_name = null where resource_id = $1', [id]);
      await api.post(`/destinations/${id}/pause`);
      const { body } = await api.get(`/audit?resourceId=${id}`);
      expect(body).toMatchObject([
        { action: 'pause', resourceName: name },
        { action: 'create', resourceName: name },
      ]);
    });

    it('is searched by kind, action, person and time at once, page by page', async () => {
      const [first, second] = [await aSource(), await aSource()];
      for (const { id } of [first, second, first])
        await api.put(`/sources/${id}`, { description: `${++names}` });
      const query = `resource=source&action=update&actor=operator@example.com&resourceId=${first.id}`;
      const { body } = await api.get(`/audit?${query}`);
      expect(body).toHaveLength(2);
      const [newer, older] = body;
      const page = await api.get(`/audit?${query}&from=${older.at}&limit=1`);
      expect(page.body).toEqual([newer]);
      const [, next = ''] = /<([^>]+)>/.exec(page.headers.get('link') ?? '') ?? [];
      const last = await api.get(next);
      expect({ body: last.body, link: last.headers.get('link') }).toEqual({ body: [older], link: null });
      expect((await api.get(`/audit?${query}&from=${older.at}&to=${newer.at}`)).body).toEqual([older]);
      expect((await api.get(`/audit?${query}&from=${second.createdAt}&to=${older.at}`)).body).toEqual([]);
      for (const other of ['resource=segment', 'action=delete', 'actor=nobody@example.com'])
        expect((await api.get(`/audit?resourceId=${first.id}&${other}`)).body).toEqual([]);
    });

    it.each(['resource=sauce', 'action=destroy', 'actor=', 'resourceId=', 'from=yesterday', 'to=2026-13-01'])(
      'answers 400 that names the parameter to ?%s',
      async (query) => {
        const { status, body } = await api.get(`/audit?${query}`);
        expect({ status, paths: body.errors.map(({ path }: { path: string }) => path) }).toEqual({
          status: 400,
          paths: [query.split('=', 1)[0]],
        });
      },
    );

    it('answers 400 to a stretch of time that ends before it begins', async () => {
      const answer = await api.get('/audit?from=2026-11-02&to=2026-11-01');
      expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'to' }] } });
    });

    it('needs cdp:admin', async () => {
      const writer = api.with({ authorization: `Bearer ${await aToken(service, ['cdp:write'])}` });
      expect((await writer.get('/audit')).status).toBe(403);
    });
  });

  it('turns away who asks too often, token by token, and never health checks', async () => {
    const limited = await startTestService({ env: { CDP_MANAGEMENT_REQUESTS_PER_MINUTE: '3' } });
    try {
      const one = await anApiClient(limited);
      for (let index = 0; index < 3; index += 1) expect((await one.get('/sources')).status).toBe(200);
      const refused = await one.get('/sources');
      expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const other = one.with({ authorization: `Bearer ${await aToken(limited, ['cdp:read'])}` });
      expect((await other.get('/sources')).status).toBe(200);
      for (let index = 0; index < 5; index += 1) expect((await one.get('/health/live')).status).toBe(200);
      const guesses: number[] = [];
      for (let index = 0; index < 5; index += 1) {
        guesses.push((await one.with({ authorization: `Bearer guess-${index}` }).get('/sources')).status);
      }
      expect(guesses).toEqual([401, 401, 401, 429, 429]);
      expect((await other.get('/sources')).status).toBe(200);
      // Of an owner who was never here before.
      const newcomer = one.with({ authorization: `Bearer ${await aToken(limited, ['cdp:admin'])}` });
      expect((await newcomer.get('/sources')).status).toBe(200);
      expect((await newcomer.get('/queues/api/queues')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('counts the addresses that trusted proxies name, and only those', async () => {
    const limited = await startTestService({
      env: { CDP_MANAGEMENT_REQUESTS_PER_MINUTE: '2', CDP_TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' },
    });
    try {
      const ask = async (forwardedFor: string): Promise<number> =>
        (await fetch(`${limited.url}/sources`, { headers: { 'x-forwarded-for': forwardedFor } })).status;
      const statuses: number[] = [];
      for (const invented of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
        statuses.push(await ask(`${invented}, 192.0.2.1, 10.0.0.7`));
      }
      expect(statuses).toEqual([401, 401, 429]);
      expect(await ask('192.0.2.2')).toBe(401);
    } finally {
      await limited.close();
    }
  });

  it('sets security headers, and allows no other origin', async () => {
    const { headers } = await api.with({ origin: 'https://evil.example' }).get('/sources');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('leaves no secret and no write key readable in any table', async () => {
    const secret = 'whsec_needleInTheHaystackOfTheDump';
    const destination = await api
      .with({ 'idempotency-key': 'needle' })
      .post('/destinations', { name: 'Needle', type: 'webhook', config: { url, secret } });
    const source = await api.with({ 'idempotency-key': 'needle' }).post('/sources', { name: 'Needle' });
    expect([destination.status, source.status]).toEqual([201, 201]);
    await api.post(`/sources/${source.body.id}/rotate-write-key`);
    await api.put(`/destinations/${destination.body.id}`, { config: { url, secret: `${secret}2` } });
    const dump = await dumpOf(service.databaseUrl);
    expect(dump).toContain('Needle');
    expect(dump).not.toContain(secret);
    expect(dump).not.toContain(source.body.writeKey);
  });

  it('goes over to another encryption key by npm run rotate-encryption-key', async () => {
    const databaseUrl = service.databaseUrl;
    const source = await aSource();
    const { id } = await aDestination('a-secret-of-some-length-4b4b');
    const { id: rotatedOften } = await aDestination('another-secret-of-some-length');
    for (let n = 0; n < 3; n += 1) await api.post(`/destinations/${rotatedOften}/rotate-secret`);
    const rotate = (keys: string): Promise<Ended> =>
      runToEnd(join(__dirname, '../../dist/cli/rotate-encryption-key.js'), [], {
        env: {
          NODE_ENV: 'production',
          CDP_DATABASE_URL: databaseUrl,
          CDP_ENCRYPTION_KEY: keys,
          CDP_JWT_JWKS_URL: 'https://login.example.com/jwks.json',
          CDP_JWT_ISSUER: 'https://login.example.com/',
          CDP_JWT_AUDIENCE: 'cdp',
        },
      });
    buildService();
    const wrong = await rotate('another-encryption-key');
    expect(wrong).toMatchObject({ code: 1, output: '' });
    const keys = 'another-encryption-key,test-encryption-key-of-some-length';
    const first = await rotate(keys);
    expect(first).toMatchObject({ code: 0, errors: '' });
    expect(first.output).toMatch(/^[1-9]\d* rows were sealed anew\.\n$/);
    expect(await rotate(keys)).toMatchObject({ code: 0, output: '0 rows were sealed anew.\n' });
    const rotated = await startTestService({
      databaseUrl,
      env: { CDP_ENCRYPTION_KEY: 'another-encryption-key' },
    });
    try {
      const after = await anApiClient(rotated);
      expect((await after.get(`/sources/${source.id}`)).body.writeKey).toBe(source.writeKey);
      expect((await after.get(`/destinations/${id}`)).body.config.secret).toBe('****4b4b');
      // It opens those before as well.
      expect((await after.post(`/destinations/${rotatedOften}/rotate-secret`)).status).toBe(200);
    } finally {
      await rotated.close();
    }
  }, 90_000);

  it('seals under the new key what a change has read that is under way', async () => {
    const source = await aSource();
    const { id } = await aDestination();
    const keys = 'the-next-encryption-key,another-encryption-key';
    const ring = new SecretBox(Config.from({ CDP_ENCRYPTION_KEY: `${keys},${TEST_ENCRYPTION_KEY}` }));
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    const webhook = service.app.get(WebhookConnector, { strict: false });
    const spy = jest.spyOn(webhook, 'check').mockImplementationOnce(async () => {
      await resealAll(client, ring);
      return [];
    });
    try {
      const config = { url: `${url}/other` };
      expect(await api.put(`/destinations/${id}`, { config })).toMatchObject({
        status: 409,
        body: { code: 'changed_meanwhile' },
      });
      const { rows } = await client.query('select secrets_sealed from destination where id = $1', [id]);
      expect(ring.isCurrent(rows[0].secrets_sealed)).toBe(true);
      expect((await api.get(`/sources/${source.id}`)).headers.get('etag')).toBe('"2"');
    } finally {
      spy.mockRestore();
      await client.end();
    }
  });
});
