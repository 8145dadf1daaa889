import { createHmac } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { Logger } from '@nestjs/common';
import { sign } from '@octokit/webhooks-methods';
import { DAY_MS, lowestId } from '../../src/events/partitions/partition-plan';
import { HookRetention } from '../../src/hooks/processing/hook-retention';
import { Database } from '../../src/platform/database/database';
import { newRowId } from '../../src/platform/database/connections/database-clock';
import { type ApiAnswer, type ApiClient, anApiClient } from '../support/api-client';
import { buildService } from '../support/built-service';
import { eventually } from '../support/eventually';
import { startTestService, type TestService } from '../support/test-service';

interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly version: number;
}

// oxlint-disable-next-line typescript/no-explicit-any -- bodies are asserted on member by member.
type AnyBody = any;

const SECRET = 'It is a secret to everybody';

describe('sources of the kind webhook', () => {
  let service: TestService;
  let api: ApiClient;

  beforeAll(async () => {
    // The threads of the sandbox run what is built.
    buildService();
    service = await startTestService();
    api = await anApiClient(service);
  });
  afterAll(() => service.close());

  const aWebhook = async (members: object = {}): Promise<Webhook> => {
    const { status, body } = await api.post('/sources', {
      name: `w-${Math.random()}`,
      kind: 'webhook',
      ...members,
    });
    expect([status, body]).toEqual([201, body]);
    return { id: body.id, version: body.version, url: `${service.url}/v1/hooks/${body.writeKey}` };
  };
  const post = (
    url: string,
    body: string | Buffer,
    headers: Record<string, string> = {},
  ): Promise<Response> =>
    fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } });
  const signedByGithub = async (body: string, secret = SECRET): Promise<Record<string, string>> => ({
    'x-hub-signature-256': await sign(secret, body),
    'x-github-event': 'push',
    'x-github-delivery': `d-${Math.random()}`,
  });
  const failed = async ({ id }: Webhook, query = ''): Promise<AnyBody[]> =>
    (await api.get(`/hook-requests?sourceId=${id}${query}`)).body;
  const kept = async (webhook: Webhook, count = 1): Promise<AnyBody[]> =>
    eventually(async () => {
      const all = await failed(webhook);
      expect(all).toHaveLength(count);
      return all.map((one) => ({ ...one, request: JSON.parse(one.request) }));
    });
  /** Has PostgreSQL refuse some changes from here on. @param changes for which rows, as a trigger says it */
  const refuse = async (
    changes: string,
    { name, errcode }: { readonly name: string; readonly errcode: string },
  ): Promise<void> => {
    const database = service.app.get(Database);
    await database.query(`
      create function ${name}() returns trigger language plpgsql as $$
      begin raise exception 'refused' using errcode = '${errcode}'; end $$`);
    await database.query(`create trigger ${name} before ${changes} execute function ${name}()`);
  };

  describe('as they are configured', () => {
    it('have a signature whose secrets are masked, stay by their masks, and are sealed', async () => {
      const signature = { scheme: 'github', secrets: [SECRET] };
      const { id } = await aWebhook({ signature });
      const masked = { scheme: 'github', secrets: ['****body'] };
      const shown = (await api.get(`/sources/${id}`)).body;
      expect(shown).toMatchObject({ kind: 'webhook', signature: masked });
      const secrets = ['****body', 'another one of ours'];
      const changed = await api.put(`/sources/${id}`, { signature: { scheme: 'github', secrets } });
      expect(changed.body.signature.secrets).toEqual(['****body', '****ours']);
      const rows = await service.app
        .get(Database)
        .query<{ text: string }>('select source::text as text from source where id = $1', [id]);
      expect(rows[0]?.text).not.toContain(SECRET);
      const audit = (await api.get(`/audit?resourceId=${id}`)).body;
      expect(JSON.stringify(audit)).not.toContain(SECRET);
      expect(audit).toHaveLength(2);
    });

    it.each([
      [{ kind: 'sdk', signature: { scheme: 'github', secrets: ['a'] } }, 'signature'],
      [{ kind: 'other' }, 'kind'],
      [{ kind: 'webhook', signature: { scheme: 'other', secrets: ['a'] } }, 'signature.scheme'],
      [{ kind: 'webhook', signature: { scheme: 'github', secrets: [] } }, 'signature.secrets'],
      [{ kind: 'webhook', signature: { scheme: 'hmac', secrets: ['a'] } }, 'signature.header'],
      [{ kind: 'webhook', signature: { scheme: 'hmac', secrets: ['a'], header: 'a b' } }, 'signature.header'],
    ])('are refused as %j, at %s', async (members, path) => {
      const { status, body } = await api.post('/sources', { name: 'refused', ...members });
      expect(status).toBe(400);
      expect(body.errors.map((error: { path: string }) => error.path)).toContain(path);
    });

    it('stay what they are', async () => {
      const { id } = await aWebhook();
      const { status, body } = await api.put(`/sources/${id}`, { kind: 'sdk' });
      expect([status, body.errors[0].code]).toEqual([400, 'kind_is_fixed']);
      expect((await api.put(`/sources/${id}`, { kind: 'webhook', description: 'a' })).status).toBe(200);
    });
  });

  it('are named by a process that lacks the key of their secrets, which answers 503', async () => {
    const errors = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    const intake = await startTestService({
      databaseUrl: service.databaseUrl,
      env: { CDP_ROLES: 'events', CDP_ENCRYPTION_KEY: 'a key that sealed none of them' },
    });
    try {
      const signature = { scheme: 'github', secrets: [SECRET] };
      const [signed, open] = [await aWebhook({ signature }), await aWebhook()];
      const told = (): string[] => errors.mock.calls.map(([message]) => String(message));
      await eventually(() => expect(told()).toContainEqual(expect.stringContaining(signed.id)));
      expect(told().find((message) => message.includes(signed.id))).toMatch(
        /^The secrets of source ".+" \(.+\) are sealed with a key that CDP_ENCRYPTION_KEY lacks: its requests get 503\.$/,
      );
      expect(told().some((message) => message.includes(open.id))).toBe(false);
      const there = ({ url }: Webhook): string => url.replace(service.url, intake.url);
      const headers = await signedByGithub('{}');
      expect(await (await post(there(signed), '{}', headers)).json()).toMatchObject({
        status: 503,
        code: 'secrets_unavailable',
      });
      expect((await post(there(open), '{}')).status).toBe(200);
      expect(told().filter((message) => message.includes(signed.id))).toHaveLength(1);
    } finally {
      errors.mockRestore();
      await intake.close();
    }
  });

  describe('what others post', () => {
    it('is on disk before the answer, without what proves who sent it', async () => {
      const webhook = await aWebhook({ signature: { scheme: 'github', secrets: [SECRET] } });
      const text = '{"ref": "refs/heads/main", "id": 12345678901234567890, "sum": 1.0}';
      const headers = await signedByGithub(text);
      const answer = await post(`${webhook.url}?team=a&access_token=b`, text, {
        ...headers,
        authorization: 'Bearer abc',
        cookie: 'a=b',
      });
      expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
      const rows = await service.app
        .get(Database)
        .query<{ request: string }>('select request from hook_request where source_id = $1', [webhook.id]);
      expect(rows[0]?.request).toContain(`"body":${text}`);
      const request = JSON.parse(rows[0]?.request ?? '');
      expect(request.query).toEqual({ team: 'a' });
      expect(request.headers).toMatchObject({ 'x-github-event': 'push' });
      expect(Object.keys(request.headers)).not.toEqual(
        expect.arrayContaining([expect.stringMatching(/signature|authorization|cookie/)]),
      );
    });

    it('may be a form, compressed, and of any type of JSON', async () => {
      const webhook = await aWebhook();
      const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
      expect((await post(webhook.url, 'a=1&b=2&b=3&c=%C3%A9', form)).status).toBe(200);
      const gzip = { 'content-encoding': 'gzip', 'content-type': 'application/vnd.api+json' };
      expect((await post(`${webhook.url}/`, gzipSync('[1, {"a": null}]'), gzip)).status).toBe(200);
      const bodies = (await kept(webhook, 2)).map(({ request }) => request.body);
      expect(bodies).toEqual([[1, { a: null }], { a: '1', b: ['2', '3'], c: 'é' }]);
    });

    it('is signed over its bytes once they are inflated', async () => {
      const webhook = await aWebhook({ signature: { scheme: 'github', secrets: [SECRET] } });
      const headers = { ...(await signedByGithub('{"a":1}')), 'content-encoding': 'gzip' };
      expect((await post(webhook.url, gzipSync('{"a":1}'), headers)).status).toBe(200);
      expect((await post(webhook.url, gzipSync('{"a":2}'), headers)).status).toBe(401);
    });

    it.each([
      ['no signature', async () => ({})],
      ['a signature by another secret', () => signedByGithub('{}', 'other')],
      ['a signature of another body', () => signedByGithub('{ }')],
      ['nonsense', async () => ({ 'x-hub-signature-256': 'sha256=zz' })],
    ])('is refused for %s, in the same words', async (_what, headersOf) => {
      const webhook = await aWebhook({ signature: { scheme: 'github', secrets: [SECRET] } });
      const answer = await post(webhook.url, '{}', await headersOf());
      const { code, detail } = (await answer.json()) as { code: string; detail: string };
      expect([answer.status, code]).toEqual([401, 'invalid_signature']);
      expect(detail).toBe(
        'The signature of the request is missing, fits no secret of this source, or its time is too far from now.',
      );
      expect(await failed(webhook)).toEqual([]);
    });

    it('is refused when its time is too far from now', async () => {
      const signature = { scheme: 'stripe', secrets: [SECRET], toleranceSeconds: 60 };
      const webhook = await aWebhook({ signature });
      const signedAt = (secondsAway: number): Record<string, string> => {
        const time = Math.floor(Date.now() / 1000) + secondsAway;
        const v1 = createHmac('sha256', SECRET).update(`${time}.{}`).digest('hex');
        return { 'stripe-signature': `t=${time},v1=${v1}` };
      };
      const statuses = [0, -120, 120].map(
        async (away) => (await post(webhook.url, '{}', signedAt(away))).status,
      );
      expect(await Promise.all(statuses)).toEqual([200, 401, 401]);
    });

    it('may be signed with the new secret or the old one during a rotation, and then with the new one only', async () => {
      const webhook = await aWebhook({ signature: { scheme: 'github', secrets: ['old secret of ours'] } });
      const statuses = async (): Promise<number[]> =>
        Promise.all(
          ['old secret of ours', 'new secret of ours'].map(
            async (secret) => (await post(webhook.url, '{}', await signedByGithub('{}', secret))).status,
          ),
        );
      const change = (secrets: string[]): Promise<unknown> =>
        api.put(`/sources/${webhook.id}`, { signature: { scheme: 'github', secrets } });
      expect(await statuses()).toEqual([200, 401]);
      await change(['new secret of ours', '****ours']);
      expect(await statuses()).toEqual([200, 200]);
      await change(['new secret of ours']);
      expect(await statuses()).toEqual([401, 200]);
    });

    it.each([
      ['text/plain', '{}', 415, 'unsupported_media_type'],
      ['multipart/form-data; boundary=a', '{}', 415, 'unsupported_media_type'],
      ['nonsense', '{}', 415, 'unsupported_media_type'],
      ['application/json', '{"a":', 400, 'invalid_json'],
      ['application/json', '[['.repeat(60) + ']]'.repeat(60), 400, 'body_too_deep'],
      ['application/json', `"${'x'.repeat(600_000)}"`, 413, 'body_too_large'],
    ])('is refused as %s when it is not what it should be', async (type, body, status, code) => {
      const webhook = await aWebhook();
      const answer = await post(webhook.url, body, { 'content-type': type });
      expect([answer.status, await answer.json()]).toMatchObject([status, { code }]);
    });

    it('needs the key of an enabled webhook, which is good for nothing else', async () => {
      const { id, url } = await aWebhook();
      const sdk = (await api.post('/sources', { name: 'An SDK' })).body;
      const answers = [url.slice(0, -1), `${service.url}/v1/hooks/${sdk.writeKey}`].map((wrong) =>
        post(wrong, '{}'),
      );
      for (const answer of await Promise.all(answers)) {
        expect([answer.status, await answer.json()]).toMatchObject([
          404,
          { code: 'unknown_write_key', detail: expect.stringContaining('those of webhooks') },
        ]);
      }
      const key = url.split('/').at(-1) ?? '';
      const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
      const batch = await post(`${service.url}/v1/batch`, '{"batch":[]}', { authorization });
      const detail = expect.stringContaining('no enabled source for SDKs has it');
      expect([batch.status, await batch.json()]).toMatchObject([401, { detail }]);
      expect((await fetch(`${service.url}/v1/projects/${key}/settings`)).status).toBe(404);
      await api.put(`/sources/${id}`, { enabled: false });
      expect((await post(url, '{}')).status).toBe(404);
    });

    it('of Slack is answered when it asks whether somebody is there', async () => {
      const webhook = await aWebhook({ signature: { scheme: 'slack', secrets: [SECRET] } });
      const text = '{"type":"url_verification","challenge":"3eZbrw1a"}';
      const time = Math.floor(Date.now() / 1000);
      const v0 = createHmac('sha256', SECRET).update(`v0:${time}:${text}`).digest('hex');
      const headers = { 'x-slack-request-timestamp': String(time), 'x-slack-signature': `v0=${v0}` };
      const answer = await post(webhook.url, text, headers);
      expect([answer.status, await answer.json()]).toEqual([200, { challenge: '3eZbrw1a' }]);
      expect((await post(webhook.url, text, { ...headers, 'x-slack-signature': 'v0=00' })).status).toBe(401);
      expect(await failed(webhook)).toEqual([]);
    });

    it('waits for a transformation where there is none', async () => {
      const webhook = await aWebhook();
      await post(webhook.url, '{"a":1}');
      const [request] = await kept(webhook);
      expect(request).toMatchObject({
        sourceId: webhook.id,
        problems: [{ code: 'no_transformation', path: '', message: expect.any(String) }],
        request: { headers: {}, query: {}, body: { a: 1 } },
      });
      await eventually(async () => {
        const rejected = (await api.get(`/rejected-events?sourceId=${webhook.id}`)).body;
        expect(rejected).toMatchObject([{ problems: [{ code: 'no_transformation' }] }]);
        // What it says is in the request alone, and goes with it.
        expect(JSON.parse(rejected[0].payload)).toEqual({ hookRequestId: request.id });
      });
      expect((await api.post(`/hook-requests/${request.id}/discard`)).status).toBe(204);
      expect((await api.post(`/hook-requests/${request.id}/discard`)).status).toBe(404);
      expect(await failed(webhook)).toEqual([]);
    });
  });

  const storedOf = async ({ id }: Webhook): Promise<AnyBody[]> =>
    (await api.get(`/events?sourceId=${id}`)).body.map(({ payload }: { payload: unknown }) => payload);
  const stored = (webhook: Webhook, count: number): Promise<AnyBody[]> =>
    eventually(async () => {
      const events = await storedOf(webhook);
      expect(events).toHaveLength(count);
      return events;
    });

  const aPlan = async (onViolation: string): Promise<string> => {
    const schema = { properties: { properties: { required: ['total'] } } };
    const rules = [{ type: 'track', event: 'order', schema, onViolation }];
    return (await api.post('/tracking-plans', { name: `w-${Math.random()}`, rules })).body.id;
  };

  describe('the events that are made of requests', () => {
    const tracked = (members: object = {}): Promise<Webhook> =>
      aWebhook({ untransformed: 'track', ...members });

    it('go the way of all others', async () => {
      const webhook = await tracked({ signature: { scheme: 'github', secrets: [SECRET] } });
      const text = '{"action":"opened","issue":{"id":12345678901234567890}}';
      const headers = {
        ...(await signedByGithub(text)),
        'x-github-event': 'issues',
        'x-github-delivery': 'd-1',
      };
      await post(webhook.url, text, headers);
      const [event] = await stored(webhook, 1);
      const anonymousId = `webhook:${webhook.id}`;
      expect(event).toMatchObject({
        type: 'track',
        event: 'issues opened',
        anonymousId,
        messageId: 'hook-d-1-0',
      });
      const rows = await service.app
        .get(Database)
        .query<{ text: string }>('select payload::text as text from event where source_id = $1', [
          webhook.id,
        ]);
      expect(rows[0]?.text).toContain('12345678901234567890');
      await eventually(async () => {
        const { body } = await api.get(`/profiles/${encodeURIComponent(anonymousId)}?by=anonymousId`);
        expect(body).toMatchObject({ eventCount: 1 });
      });
      const left = await service.app.get(Database).query('select from hook_request');
      const failures = (await api.get('/hook-requests?limit=1000')).body;
      expect(left).toHaveLength(failures.length);
      await eventually(async () => {
        const { lastEventAt } = (await api.get(`/sources/${webhook.id}`)).body;
        expect(lastEventAt).toEqual(expect.any(String));
      });
    });

    it('count once however often the sender sends the request', async () => {
      const webhook = await tracked({ signature: { scheme: 'github', secrets: [SECRET] } });
      const headers = await signedByGithub('{}');
      for (let times = 0; times < 3; times += 1) await post(webhook.url, '{}', headers);
      await post(webhook.url, '{}', await signedByGithub('{}'));
      await eventually(async () => {
        const { sources } = (await api.get('/stats')).body;
        const counts = sources.find(({ sourceId }: { sourceId: string }) => sourceId === webhook.id);
        expect(counts).toMatchObject({ accepted: 2, duplicate: 2, rejected: 0 });
      });
      await stored(webhook, 2);
    });

    it('may be blocked by a tracking plan, and are made again once it was mended', async () => {
      const trackingPlanId = await aPlan('block');
      const webhook = await tracked({ trackingPlanId });
      for (const n of [1, 2, 3]) await post(webhook.url, `{"type":"order","n":${n}}`);
      await post(webhook.url, '{"type":"order","total":1}');
      const requests = await kept(webhook, 3);
      await stored(webhook, 1);
      expect(requests[0]).toMatchObject({
        problems: [{ code: 'schema_violation', path: '[0].properties.total' }],
        request: { body: { type: 'order', n: 3 } },
      });
      await eventually(async () => {
        const rejected = (await api.get(`/rejected-events?sourceId=${webhook.id}&code=schema_violation`))
          .body;
        expect(rejected).toHaveLength(3);
      });
      const [{ id }] = requests;
      // Not mended yet: it fails again.
      expect((await api.post(`/hook-requests/${id}/run`)).status).toBe(204);
      await kept(webhook, 3);
      await api.put(`/tracking-plans/${trackingPlanId}`, { rules: [] });
      expect((await api.post(`/hook-requests/${id}/run`)).status).toBe(204);
      await stored(webhook, 2);
      const all = { sourceId: webhook.id, code: 'schema_violation' };
      expect((await api.post('/hook-requests/run', { ...all, code: 'other' })).body.settled).toBe(0);
      expect((await api.post('/hook-requests/run', all)).body).toEqual({ settled: 2, remaining: 0 });
      const events = await stored(webhook, 4);
      expect(new Set(events.map(({ properties }) => properties.n))).toEqual(new Set([1, 2, 3, undefined]));
      expect(await failed(webhook)).toEqual([]);
      // It happened when the request came, not when it was made an event of.
      const late = events.find(({ properties }) => properties.n === 3);
      expect([late.timestamp, late.receivedAt]).toEqual([requests[0].receivedAt, requests[0].receivedAt]);
      const actions = (await api.get('/audit?resource=hook_request')).body;
      expect(actions).toMatchObject([
        { action: 'run', after: { requests: 2, filter: all } },
        { action: 'run', resourceId: id, after: { requests: 1 } },
        { action: 'run', resourceId: id },
        { action: 'discard' },
      ]);
    });

    it('may be kept apart by a tracking plan', async () => {
      const webhook = await tracked({ trackingPlanId: await aPlan('quarantine') });
      await post(webhook.url, '{"type":"order"}');
      await eventually(async () => {
        const apart = (await api.get(`/quarantined-events?sourceId=${webhook.id}`)).body;
        expect(apart).toMatchObject([{ name: 'order', codes: ['schema_violation'] }]);
      });
      expect(await failed(webhook)).toEqual([]);
      expect((await api.post('/quarantined-events/release', { sourceId: webhook.id })).body.settled).toBe(1);
      await stored(webhook, 1);
    });

    it('are made of requests that waited until somebody said what they mean', async () => {
      const webhook = await aWebhook();
      await post(webhook.url, '{"type":"later"}');
      await kept(webhook);
      await api.put(`/sources/${webhook.id}`, { untransformed: 'track' });
      await api.post('/hook-requests/run', { sourceId: webhook.id });
      expect(await stored(webhook, 1)).toMatchObject([{ event: 'later' }]);
    });

    it('are not of a size that no event may have, and hold no others up', async () => {
      const webhook = await tracked();
      await post(webhook.url, JSON.stringify({ type: 'huge', text: 'x'.repeat(40_000) }));
      await post(webhook.url, '{"type":"small"}');
      expect(await stored(webhook, 1)).toMatchObject([{ event: 'small' }]);
      expect(await kept(webhook)).toMatchObject([{ problems: [{ code: 'event_too_large' }] }]);
    });

    it('are stored once when the worker before was killed at it', async () => {
      const webhook = await tracked();
      const database = service.app.get(Database);
      const keep = (id: string, turns: number, secondsAgo: number): Promise<unknown> =>
        database.query(
          `insert into hook_request (id, source_id, request, bytes, turns, due_at)
           values ($1, $2, '{"headers":{},"query":{},"body":{}}', 40, $3, now() - make_interval(secs => $4))`,
          [id, webhook.id, turns, secondsAgo],
        );
      await keep(newRowId(), 1, -3_600); // Another worker's turn.
      await keep(newRowId(), 4, 1);
      await keep(newRowId(), 5, 1);
      await stored(webhook, 1);
      expect(await kept(webhook)).toMatchObject([{ problems: [{ code: 'processing_failed' }] }]);
      const left = await database.query('select from hook_request where waiting and source_id = $1', [
        webhook.id,
      ]);
      expect(left).toHaveLength(1);
    });

    it('lose no turn while PostgreSQL cannot store them', async () => {
      const webhook = await tracked();
      const database = service.app.get(Database);
      await refuse(`delete on hook_request for each row when (old.source_id = '${webhook.id}')`, {
        name: 'refuse_for_now',
        errcode: 'lock_not_available',
      });
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      await post(webhook.url, '{}');
      await eventually(() =>
        expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^Webhooks are processed later: .*refused/)),
      );
      warn.mockRestore();
      await database.query('drop function refuse_for_now cascade');
      await stored(webhook, 1);
    });

    it('are made of the requests of each source in turn, however many sources have some', async () => {
      const database = service.app.get(Database);
      const busy = await Promise.all(Array.from({ length: 50 }, () => tracked()));
      const last = await tracked();
      const sources = busy.map(({ id }) => id);
      const rows = [...Array.from({ length: 65 }, () => sources).flat(), last.id];
      // A turn takes its time, and that of the last one says whose requests wait meanwhile.
      await database.query('create table waiting_meanwhile (source_id uuid)');
      await database.query(`
        create function take_time() returns trigger language plpgsql as $$ begin
          if old.source_id = '${last.id}' then
            insert into waiting_meanwhile select distinct source_id from hook_request where waiting;
          end if;
          perform pg_sleep(0.02);
          return old;
        end $$`);
      await database.query(`
        create trigger take_time before delete on hook_request for each row execute function take_time()`);
      try {
        await database.query(
          `insert into hook_request (id, source_id, request, bytes)
           select *, '{"headers":{},"query":{},"body":{}}', 40 from unnest($1::uuid[], $2::uuid[])`,
          [rows.map(() => newRowId()), rows],
        );
        await stored(last, 1);
      } finally {
        await database.query('drop function take_time cascade');
      }
      const waiting = await database.query<{ id: string }>('select source_id as id from waiting_meanwhile');
      expect(waiting.map(({ id }) => id)).toEqual(expect.arrayContaining(sources));
      await database.query('drop table waiting_meanwhile');
      await eventually(async () => {
        expect((await database.query('select from hook_request where waiting')).length).toBeLessThan(20);
      });
    });

    it('name people, with whom their requests are exported and erased', async () => {
      const webhook = await tracked({ trackingPlanId: await aPlan('block') });
      await post(webhook.url, '{"type":"order"}');
      await kept(webhook);
      const person = `/profiles/${encodeURIComponent(`webhook:${webhook.id}`)}`;
      const { body } = await api.get(`${person}/export?by=anonymousId`);
      expect(String(body)).toContain('"kind":"hook_request"');
      expect((await api.delete(`${person}?by=anonymousId`)).status).toBe(200);
      expect(await failed(webhook)).toEqual([]);
    });

    it('name nobody who was erased since the request came', async () => {
      const webhook = await aWebhook();
      await post(webhook.url, '{"type":"before"}');
      await kept(webhook);
      await api.put(`/sources/${webhook.id}`, { untransformed: 'track' });
      await post(webhook.url, '{"type":"known"}');
      await stored(webhook, 1);
      const person = `/profiles/${encodeURIComponent(`webhook:${webhook.id}`)}?by=anonymousId`;
      await eventually(async () => expect((await api.delete(person)).status).toBe(200));
      expect((await api.post('/hook-requests/run', { sourceId: webhook.id })).body.settled).toBe(1);
      // What comes within a second of an erasure may have come before it, by another clock.
      const names = await eventually(async () => {
        await post(webhook.url, '{"type":"after"}');
        const events = await storedOf(webhook);
        expect(events.length).toBeGreaterThan(0);
        return events.map(({ event }) => event);
      });
      expect(new Set(names)).toEqual(new Set(['after']));
      expect(await failed(webhook)).toEqual([]);
    });

    it('are not kept among the rejected when they name somebody who was erased since the request came', async () => {
      const webhook = await aWebhook();
      await post(webhook.url, '{"type":"order","n":1}');
      await kept(webhook);
      const plan = await aPlan('block');
      await api.put(`/sources/${webhook.id}`, { untransformed: 'track', trackingPlanId: plan });
      await post(webhook.url, '{"type":"known"}');
      await stored(webhook, 1);
      const person = `/profiles/${encodeURIComponent(`webhook:${webhook.id}`)}?by=anonymousId`;
      await eventually(async () => expect((await api.delete(person)).status).toBe(200));
      const rejected = async (): Promise<number[]> => {
        const { body } = await api.get(`/rejected-events?sourceId=${webhook.id}`);
        return (body as { name: string | null; payload: string }[])
          .filter(({ name }) => name === 'order')
          .map(({ payload }) => JSON.parse(payload).properties.n);
      };
      // What comes within a second of an erasure may have come before it, by another clock.
      await eventually(async () => {
        await post(webhook.url, '{"type":"order","n":2}');
        expect(await rejected()).toContain(2);
      });
      const code = 'no_transformation';
      expect((await api.post('/hook-requests/run', { sourceId: webhook.id, code })).body.settled).toBe(1);
      await eventually(async () => {
        await post(webhook.url, '{"type":"order","n":3}');
        expect(await rejected()).toContain(3);
      });
      expect(await rejected()).not.toContain(1);
      const left = (await failed(webhook)).map(({ request }) => JSON.parse(request).body.n);
      expect(left).not.toContain(1);
    });

    it('go with their requests so many days after these came, also when they were run again', async () => {
      const webhook = await aWebhook();
      for (const [index, days] of [6, 8].entries()) {
        await post(webhook.url, '{}');
        const [newest] = await kept(webhook, index + 1);
        const came = lowestId(Date.now() - days * DAY_MS);
        await service.app
          .get(Database)
          .query('update hook_request set id = $1 where id = $2', [came, newest.id]);
      }
      expect((await api.post('/hook-requests/run', { sourceId: webhook.id })).body.settled).toBe(2);
      await kept(webhook, 2);
      const warn = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
      await service.app.get(HookRetention).dropOld();
      expect(warn).toHaveBeenCalledWith(
        'Deleted 1 requests of webhooks that had failed, 7 days after they came',
      );
      warn.mockRestore();
      expect(await failed(webhook)).toHaveLength(1);
    });

    it('are there for who asks for one while somebody else has it in hand', async () => {
      const webhook = await aWebhook();
      await post(webhook.url, '{}');
      const [{ id }] = await kept(webhook);
      const database = service.app.get(Database);
      let running: Promise<{ status: number }> | undefined;
      await database.transaction(async (tx) => {
        await tx.query('select from hook_request where id = $1 for update', [id]);
        running = api.post(`/hook-requests/${id}/run`);
        await eventually(async () => {
          const sql = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
          expect(await database.query(sql)).not.toEqual([]);
        });
      });
      expect((await running)?.status).toBe(204);
    });

    it('are listed by pages of some megabytes, each once', async () => {
      const webhook = await aWebhook();
      await service.app.get(Database).query(
        `insert into hook_request (id, source_id, request, bytes, waiting, code, problems)
         select gen_random_uuid(), $1, '"' || repeat('x', 500000) || '"', 500002, false, 'no_transformation', '[]'
         from generate_series(1, 40)`,
        [webhook.id],
      );
      const ids: string[] = [];
      let path: string | undefined = `/hook-requests?sourceId=${webhook.id}&limit=25`;
      const pages: number[] = [];
      while (path !== undefined) {
        const answer: ApiAnswer<AnyBody> = await api.get(path);
        pages.push(answer.body.length);
        ids.push(...answer.body.map(({ id }: { id: string }) => id));
        path = /<(.+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
      }
      expect(pages).toEqual([17, 17, 6]);
      expect(new Set(ids).size).toBe(40);
    });

    it('are gathered no further when too many requests of a source have failed', async () => {
      const [webhook, other] = [await aWebhook(), await aWebhook()];
      await service.app.get(Database).query(
        `insert into hook_request (id, source_id, request, bytes, waiting, code, problems)
         select gen_random_uuid(), $1, '{}', 2, false, 'no_transformation', '[]' from generate_series(1, 10000)`,
        [webhook.id],
      );
      const answer = await post(webhook.url, '{}');
      expect([answer.status, await answer.json()]).toMatchObject([429, { code: 'hook_backlog_full' }]);
      expect(answer.headers.get('retry-after')).toBe('60');
      expect((await post(other.url, '{}')).status).toBe(200);
      expect((await api.post('/hook-requests/discard', { sourceId: webhook.id })).body.settled).toBe(10_000);
      expect((await post(webhook.url, '{}')).status).toBe(200);
    });
  });

  describe('of whose requests a transformation makes events', () => {
    const aTransformation = async (body: string): Promise<string> => {
      const code = `export function transform({ headers, query, body }) {\n${body}\n}`;
      const made = await api.post('/transformations', { name: `t-${Math.random()}`, code });
      expect([made.status, made.body.errors]).toEqual([201, undefined]);
      return made.body.id;
    };
    const transformed = async (code: string, members: object = {}): Promise<Webhook> =>
      aWebhook({ transformationId: await aTransformation(code), ...members });
    const rewrite = (id: string, body: string): Promise<unknown> =>
      api.put(`/transformations/${id}`, {
        code: `export function transform({ headers, query, body }) {\n${body}\n}`,
      });

    it('have one event, several or none of a request, of the people that it names', async () => {
      const webhook = await transformed(`
        const one = ({ id, total }) => ({
          type: 'track', event: headers['x-topic'] + ' ' + query.shop, userId: body.user, properties: { id, total },
        });
        if (body.ignored) return null;
        return body.orders ? body.orders.map(one) : one(body);`);
      const headers = { 'X-Topic': 'Order Paid', authorization: 'Bearer abc' };
      const send = (body: object): Promise<unknown> =>
        post(`${webhook.url}?shop=north`, JSON.stringify(body), headers);
      await send({ ignored: true });
      await send({ user: 'ada', id: 'o-1', total: 1.5 });
      await send({ user: 'grace', orders: [{ id: 'o-2' }, { id: 'o-3' }] });
      const events = (await stored(webhook, 3)).toSorted((a, b) =>
        a.properties.id < b.properties.id ? -1 : 1,
      );
      expect(events).toMatchObject([
        { event: 'Order Paid north', userId: 'ada', properties: { id: 'o-1', total: 1.5 } },
        { userId: 'grace', properties: { id: 'o-2' }, messageId: expect.stringMatching(/^hook-.*-0$/) },
        { userId: 'grace', properties: { id: 'o-3' }, messageId: expect.stringMatching(/^hook-.*-1$/) },
      ]);
      await eventually(async () => {
        const waiting = await service.app
          .get(Database)
          .query('select from hook_request where source_id = $1', [webhook.id]);
        expect(waiting).toEqual([]);
      });
      await eventually(async () => {
        expect((await api.get('/profiles/grace')).body).toMatchObject({ eventCount: 2 });
      });
    });

    it('have those of a user whose browser somebody used who is suppressed, and none of the browser alone', async () => {
      const webhook = await transformed(`return { type: 'track', event: 'n', ...body };`);
      const plan = await aPlan('block');
      const blocked = await transformed(
        `return { type: 'track', event: 'order', properties: {}, ...body };`,
        {
          trackingPlanId: plan,
        },
      );
      const shared = { anonymousId: `browser-${webhook.id}` };
      const [first, second] = [`first-${webhook.id}`, `second-${webhook.id}`];
      await post(webhook.url, JSON.stringify({ ...shared, userId: first }));
      await eventually(async () => expect((await api.get(`/profiles/${first}`)).status).toBe(200));
      expect((await api.delete(`/profiles/${first}?suppress=true`)).status).toBe(200);
      // What comes within a second of an erasure may have come before it, by another clock.
      await eventually(async () => {
        for (const { url } of [webhook, blocked]) {
          await post(url, JSON.stringify(shared));
          await post(url, JSON.stringify({ ...shared, userId: second }));
        }
        const users = (await storedOf(webhook)).map(({ userId }) => userId);
        expect(new Set(users)).toEqual(new Set([second]));
        const requests = (await failed(blocked)).map(({ request }) => JSON.parse(request).body.userId);
        expect(new Set(requests)).toEqual(new Set([second]));
      });
    });

    it('keep what it fails at, with its line, until it is run again by the newest version', async () => {
      const webhook = await transformed(
        `return {\n  type: 'track', event: body.order.name, userId: 'ada' };`,
      );
      const { transformationId } = (await api.get(`/sources/${webhook.id}`)).body;
      for (const n of [1, 2, 3]) await post(webhook.url, `{"n":${n}}`);
      const [newest] = await kept(webhook, 3);
      expect(newest).toMatchObject({
        problems: [{ code: 'transformation_failed', message: expect.stringMatching(/^line 3: TypeError: /) }],
        request: { body: { n: 3 } },
      });
      await eventually(async () => {
        const rejected = (await api.get(`/rejected-events?sourceId=${webhook.id}`)).body;
        expect(rejected).toMatchObject(
          [1, 2, 3].map(() => ({ problems: [{ code: 'transformation_failed' }] })),
        );
      });
      // Not mended yet.
      expect((await api.post(`/hook-requests/${newest.id}/run`)).status).toBe(204);
      await kept(webhook, 3);
      await rewrite(
        transformationId,
        `return { type: 'track', event: 'n', userId: 'ada', properties: body };`,
      );
      expect((await api.post(`/hook-requests/${newest.id}/run`)).status).toBe(204);
      await stored(webhook, 1);
      const all = { sourceId: webhook.id, code: 'transformation_failed' };
      expect((await api.post('/hook-requests/run', all)).body).toEqual({ settled: 2, remaining: 0 });
      const events = await stored(webhook, 3);
      expect(new Set(events.map(({ properties }) => properties.n))).toEqual(new Set([1, 2, 3]));
    });

    it.each([
      ['no event', 'return 7;', 'transformation_failed', ''],
      ['no list of events', 'return [{}, null];', 'transformation_failed', ''],
      ['a promise', 'return Promise.resolve({});', 'transformation_failed', ''],
      ['too many events', 'return Array.from({ length: 1001 }, () => ({}));', 'transformation_failed', ''],
      ['no end', 'for (;;);', 'transformation_failed', ''],
      [
        'an event that is none',
        'return [{ type: "page", userId: "a" }, { type: "track", userId: "a" }];',
        'missing_event_name',
        '[1].event',
      ],
    ])('store none of its events when it makes %s', async (_what, code, problem, path) => {
      const webhook = await transformed(code);
      await post(webhook.url, '{}');
      const [request] = await kept(webhook);
      expect(request.problems[0]).toMatchObject({ code: problem, path });
      expect(await storedOf(webhook)).toEqual([]);
    });

    it('are stored though others of their request are wrong, where it names somebody for whom it may not be kept', async () => {
      const webhook = await transformed('return body.map((event) => ({ type: "track", ...event }));');
      const [gone, ann] = [`gone-${webhook.id}`, `ann-${webhook.id}`];
      expect((await api.delete(`/profiles/${gone}?suppress=true`)).status).toBe(200);
      const events = [
        { event: 'right', userId: ann },
        { event: 'right', userId: gone },
        { userId: ann, properties: { n: 1 } },
        { userId: gone },
      ];
      await post(webhook.url, JSON.stringify(events));
      expect(await stored(webhook, 1)).toMatchObject([{ event: 'right', userId: ann }]);
      await eventually(async () => {
        const rejected = (await api.get(`/rejected-events?sourceId=${webhook.id}`)).body;
        expect(rejected).toMatchObject([{ problems: [{ code: 'missing_event_name' }] }]);
        expect(JSON.parse(rejected[0].payload)).toMatchObject({ userId: ann, properties: { n: 1 } });
      });
      expect(await failed(webhook)).toEqual([]);
    });

    it('are gone with a request that may not be kept where the store refuses them', async () => {
      const webhook = await transformed('return body.map((event) => ({ type: "track", ...event }));');
      const gone = `gone-${webhook.id}`;
      expect((await api.delete(`/profiles/${gone}?suppress=true`)).status).toBe(200);
      const database = service.app.get(Database);
      await refuse(`insert on event for each row when (new.source_id = '${webhook.id}')`, {
        name: 'refuse_values',
        errcode: 'data_exception',
      });
      try {
        await post(webhook.url, JSON.stringify([{ event: 'right', userId: 'ann' }, { userId: gone }]));
        await eventually(async () => {
          const rows = await database.query('select from hook_request where source_id = $1', [webhook.id]);
          expect(rows).toEqual([]);
        });
      } finally {
        await database.query('drop function refuse_values cascade');
      }
      expect(await storedOf(webhook)).toEqual([]);
    });

    it('name whom they named when they failed before', async () => {
      const webhook = await transformed('return { type: "track", userId: body.user };');
      const user = `user-${webhook.id}`;
      await post(webhook.url, JSON.stringify({ user }));
      await kept(webhook);
      const { transformationId } = (await api.get(`/sources/${webhook.id}`)).body;
      await rewrite(transformationId, 'return body.user.name.first;');
      expect((await api.post('/hook-requests/run', { sourceId: webhook.id })).body.settled).toBe(1);
      await eventually(async () =>
        expect(await failed(webhook)).toMatchObject([{ problems: [{ code: 'transformation_failed' }] }]),
      );
      expect((await api.delete(`/profiles/${user}?suppress=true`)).status).toBe(200);
      expect(await failed(webhook)).toEqual([]);
    });

    it('hold up none of others however slow the code is', async () => {
      const slow = await transformed(`
        try { /^(a+)+$/.test('a'.repeat(40) + 'b'); } finally { return { ...body, type: 'track', userId: 'slow' }; }`);
      const quick = await transformed(`return { type: 'track', event: 'Quick', userId: 'quick' };`);
      const waiting = async ({ id }: Webhook): Promise<number> => {
        const rows = await service.app
          .get(Database)
          .query('select from hook_request where source_id = $1 and waiting', [id]);
        return rows.length;
      };
      const count = 40;
      for (let one = 0; one < count; one += 1) await post(slow.url, `{"event":"Slow ${one}"}`);
      await eventually(async () => expect(await waiting(slow)).toBeLessThan(count));
      await post(quick.url, '{}');
      expect(await stored(quick, 1)).toMatchObject([{ event: 'Quick' }]);
      expect(await waiting(slow)).toBeGreaterThan(0);
      await eventually(async () => expect(await waiting(slow)).toBe(0), 120_000);
    }, 180_000);

    it('count what is run again once, though its code says other things by then', async () => {
      const webhook = await transformed(`return { type: 'page', userId: 'ada' };`, {
        signature: { scheme: 'github', secrets: [SECRET] },
      });
      const { transformationId } = (await api.get(`/sources/${webhook.id}`)).body;
      const headers = await signedByGithub('{}');
      await post(webhook.url, '{}', headers);
      await stored(webhook, 1);
      await rewrite(
        transformationId,
        `return [{ type: 'page', userId: 'ada' }, { type: 'screen', userId: 'ada' }];`,
      );
      await post(webhook.url, '{}', headers);
      expect((await stored(webhook, 2)).map(({ type }) => type)).toEqual(
        expect.arrayContaining(['page', 'screen']),
      );
    });

    it('are answered alike whether events are made of requests or not', async () => {
      const webhook = await transformed('throw new Error(body.secret);', { untransformed: 'track' });
      const answer = await post(webhook.url, '{"secret":"s"}');
      expect([answer.status, await answer.json()]).toEqual([200, { success: true }]);
      expect(await kept(webhook)).toMatchObject([{ problems: [{ message: 'line 2: Error: s' }] }]);
      // What becomes of requests without one holds again once it is taken away.
      await api.put(`/sources/${webhook.id}`, { transformationId: null });
      await api.post('/hook-requests/run', { sourceId: webhook.id });
      await stored(webhook, 1);
    });

    it('have one that is there, and keep it from being deleted', async () => {
      const webhook = await transformed('return null;');
      const { transformationId } = (await api.get(`/sources/${webhook.id}`)).body;
      const removed = await api.delete(`/transformations/${transformationId}`);
      expect([removed.status, removed.body.code]).toEqual([409, 'transformation_in_use']);
      const change = (members: object): Promise<{ status: number; body: AnyBody }> =>
        api.put(`/sources/${webhook.id}`, members);
      const unknown = await change({ transformationId: '00000000-0000-4000-8000-000000000000' });
      expect(unknown).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'transformationId', code: 'unknown_transformation' }] },
      });
      const sdk = await api.post('/sources', { name: `w-${Math.random()}`, transformationId });
      expect(sdk).toMatchObject({
        status: 400,
        body: { errors: [{ path: 'transformationId', code: 'not_a_webhook' }] },
      });
      expect((await change({ transformationId: null })).body).toMatchObject({ transformationId: null });
      expect((await api.delete(`/transformations/${transformationId}`)).status).toBe(204);
    });
  });
});
