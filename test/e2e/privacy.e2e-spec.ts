import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { Config } from '../../src/platform/config/config';
import { Database } from '../../src/platform/database/database';
import { Metrics } from '../../src/platform/metrics/metrics';
import { resealAll } from '../../src/platform/secrets/reseal-all';
import { SecretBox } from '../../src/platform/secrets/secret-box';
import { buryEvent } from '../../src/events/inbox/dead-events';
import { LedgerUpkeep } from '../../src/delivery/upkeep/ledger-upkeep';
import { keepUpkeepOut } from '../../src/events/erasure-gate';
import { InboxSweeper } from '../../src/ingestion/processing/inbox-sweeper';
import { Pseudonyms } from '../../src/profiles/pseudonyms';
import { aSource } from '../support/a-source';
import { anApiClient, ApiClient } from '../support/api-client';
import { eventually } from '../support/eventually';
import { Receiver } from '../support/receiver';
import { startTestService, TEST_ENCRYPTION_KEY, type TestService } from '../support/test-service';

describe('privacy', () => {
  let service: TestService;
  let events: ApiClient;
  let api: ApiClient;
  let receiver: Receiver;

  beforeAll(async () => {
    service = await startTestService({ env: { CDP_AUTH_ANY_TOKEN: 'false' } });
    const { writeKey } = await aSource(service.databaseUrl);
    events = new ApiClient(service.url, { authorization: `Basic ${btoa(`${writeKey}:`)}` });
    api = await anApiClient(service);
    receiver = await Receiver.start();
    const destination = { type: 'webhook', config: { url: receiver.url } };
    await api.post('/destinations', { name: 'all', ...destination, notices: ['delete'] });
    await api.post('/destinations', { name: 'no notices', ...destination });
    await api.post('/segments', {
      name: 'everybody',
      rules: [{ field: 'event_count', operator: 'gte', value: 1 }],
    });
  });
  afterAll(async () => {
    await receiver.stop();
    await service.close();
  });

  async function send(...batch: Record<string, unknown>[]): Promise<void> {
    const timestamp = new Date().toISOString();
    const answer = await events.post('/v1/batch', {
      batch: batch.map((event) => ({ timestamp, messageId: randomUUID(), ...event })),
    });
    expect(answer.status).toBe(200);
  }

  /** Sends what there can be about a person, all of it with `mark` in it, and waits until it is delivered. */
  async function aPerson(mark: string): Promise<void> {
    await send(
      { type: 'track', event: 'Seen', anonymousId: `anon-${mark}` },
      { type: 'identify', userId: `old-${mark}`, traits: { email: `${mark}@example.com` } },
      { type: 'identify', userId: `user-${mark}`, anonymousId: `anon-${mark}` },
      { type: 'alias', userId: `user-${mark}`, previousId: `old-${mark}` },
      { type: 'group', userId: `user-${mark}`, groupId: 'acme' },
      { type: 'track', event: 'Bought', userId: 'neighbour', properties: { price: 1 } },
    );
    await eventually(async () => {
      expect(await api.get(`/profiles/user-${mark}`)).toMatchObject({ body: { eventCount: 5 } });
      const pending = await database().query(`select 1 from delivery where state = 'pending'`);
      expect(pending).toEqual([]);
    });
  }

  const database = (): Database => service.app.get(Database);

  /** What workers do once a minute. */
  async function cleanNotices(): Promise<void> {
    await database().query(`update delivery_upkeep set done_at = now() - interval '1 hour'`);
    await service.app.get(LedgerUpkeep, { strict: false }).tidyIfDue();
  }

  /** The tables of the service and of its queue in which any column of any row contains the text. */
  async function tablesWith(text: string): Promise<string[]> {
    const tables = await database().query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_schema in ('public', 'bullmq') and table_type = 'BASE TABLE' order by 1`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await database().query(`select 1 from ${name} as t where t::text like $1 limit 1`, [
        `%${text}%`,
      ]);
      if (rows.length > 0) found.push(name);
    }
    return found;
  }

  it('deletes a person from all tables, and only him', async () => {
    await aPerson('mrx');
    // A dead event, and a receiver that repeats what it got in what it answers before it takes a notice.
    const key = { subject: 'a:anon-mrx', timestamp: '2026-11-20T00:00:00.000Z', id: randomUUID() } as const;
    await buryEvent(key, 'error: "mrx" is at fault', database());
    await service.app.get(InboxSweeper, { strict: false }).fileDeadEvents();
    await send({ type: 'group', userId: 'user-mrx', groupId: 'acme', traits: { plan: 'pro' } });
    receiver.behaviour = ({ body }, response) => {
      const isFirst = receiver.received.filter((other) => other.body === body).length === 1;
      response.writeHead(isFirst ? 500 : 200).end(body);
    };
    await send({ type: 'track', event: 'Echoed', userId: 'user-mrx', messageId: 'message-mrx' });
    await send({
      type: 'group',
      userId: 'user-mrx',
      groupId: 'acme',
      traits: { seats: 3 },
      messageId: 'group-mrx',
    });
    await eventually(async () =>
      expect(await tablesWith('mrx')).toEqual(
        expect.arrayContaining([
          'public.dead_event',
          'public.delivery',
          'public.delivery_attempt',
          'public.event',
          'public.profile',
          'public.profile_day',
          'public.segment_member',
        ]),
      ),
    );
    const answer = await api.delete('/profiles/user-mrx');
    expect(answer).toMatchObject({
      status: 200,
      body: {
        suppressed: false,
        deleted: { events: 8, identities: 4, deliveries: 16 },
        notifiedDestinations: 1,
      },
    });
    await eventually(() =>
      expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toContainEqual(
        expect.objectContaining({
          type: 'delete',
          userId: 'user-mrx',
          userIds: ['user-mrx', 'old-mrx'],
          anonymousIds: ['anon-mrx'],
        }),
      ),
    );
    await eventually(async () => {
      await cleanNotices();
      expect(await tablesWith('mrx')).toEqual([]);
    });
    expect(await api.get('/profiles/user-mrx')).toMatchObject({ status: 404 });
    expect(await api.delete('/profiles/user-mrx')).toMatchObject({ status: 404 });
    expect(await api.get('/profiles/neighbour')).toMatchObject({ status: 200 });
    const { receiptId, pseudonym, deleted } = answer.body;
    expect((await api.get(`/audit?resource=profile&resourceId=${pseudonym}`)).body).toMatchObject([
      { action: 'erase', actor: expect.any(String), after: { receiptId, deleted, suppressed: false } },
    ]);
  });

  it('names the field where an id is longer than any can be', async () => {
    const id = 'x'.repeat(513);
    const refused = { status: 400, body: { errors: [{ path: 'userId', code: 'invalid_id' }] } };
    expect(await api.delete(`/profiles/${id}?suppress=true`)).toMatchObject(refused);
    expect(await api.get(`/profiles/${id}`)).toMatchObject(refused);
  });

  it('holds nothing of an id that PostgreSQL cannot store', async () => {
    const none = { status: 404, body: { code: 'profile_not_found' } };
    expect(await api.delete('/profiles/a%00b?suppress=true')).toMatchObject(none);
    expect(await api.get('/profiles/a%00b/export')).toMatchObject(none);
  });

  it('leaves nothing of a person whom the computation of a segment has looked at already', async () => {
    await aPerson('raced');
    await send({ type: 'track', event: 'Seen', userId: 'zeta' });
    await eventually(async () => expect(await api.get('/profiles/zeta')).toMatchObject({ status: 200 }));
    // The computation goes through its people in order, and has to wait at the last one for this.
    const blocker = await database().pool.connect();
    await blocker.query('begin');
    await blocker.query(`
      insert into segment_member (subject, generation, member, changed_at)
      select 'u:zeta', last_value + 1, true, now() from segment_generation_seq`);
    const creation = api.post('/segments', { name: 'Raced', rules: [] });
    await eventually(async () =>
      expect(await waiting(`query like '%insert into segment_member%'`)).not.toEqual([]),
    );

    let answered = false;
    const deletion = api.delete('/profiles/user-raced').finally(() => (answered = true));
    await eventually(async () => {
      if (!answered) expect(await waiting(`wait_event = 'advisory'`)).not.toEqual([]);
    });
    await blocker.query('rollback');
    blocker.release();
    expect(await deletion).toMatchObject({ status: 200 });
    expect(await creation).toMatchObject({ status: 201, body: { state: 'live' } });
    expect(await database().query(`select 1 from segment_member where subject = 'u:zeta'`)).not.toEqual([]);
    expect(await database().query(`select 1 from segment_member where subject like '%raced'`)).toEqual([]);
  });

  it('leaves nothing of a person whose events are being sent again', async () => {
    await aPerson('resent');
    const [destination] = (await api.get<{ id: string }[]>('/destinations')).body;
    // What a deletion does, with the replay coming in between.
    await database().transaction(async (tx) => {
      await keepUpkeepOut(tx);
      const replay = { from: '2020-01-01T00:00:00Z', ratePerSecond: 1_000 };
      expect(await api.post(`/destinations/${destination!.id}/replay`, replay)).toMatchObject({
        status: 202,
      });
      await eventually(async () =>
        expect(await database().query('select 1 from replay for update skip locked')).toEqual([]),
      );
      await tx.query(`delete from event where subject like '%resent'`);
      await tx.query(`delete from delivery where subject like '%resent'`);
    });
    await eventually(async () => expect((await api.get('/replays')).body).toMatchObject([{ state: 'done' }]));
    expect(await database().query(`select 1 from delivery where subject = 'u:neighbour'`)).not.toEqual([]);
    expect(await database().query(`select 1 from delivery where subject like '%resent'`)).toEqual([]);
  });

  async function waiting(condition: string): Promise<unknown[]> {
    return database().query(
      `select 1 from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database() and ${condition}`,
    );
  }

  it('makes a new profile of a person who comes back', async () => {
    await aPerson('back');
    await api.delete('/profiles/user-back');
    await send({ type: 'track', event: 'Returned', userId: 'user-back' });
    await eventually(async () =>
      expect(await api.get('/profiles/user-back')).toMatchObject({
        body: { eventCount: 1, anonymousIds: [] },
      }),
    );
  });

  it('drops and counts the events of somebody who is suppressed', async () => {
    await aPerson('mute');
    const answer = await api.delete('/profiles/user-mute?suppress=true');
    expect(answer).toMatchObject({ status: 200, body: { suppressed: true } });
    await send(
      { type: 'track', event: 'Returned', userId: 'user-mute' },
      { type: 'track', event: 'Returned', anonymousId: 'anon-mute' },
      { type: 'alias', userId: 'somebody', previousId: 'user-mute' },
      { type: 'track', event: 'Other', userId: 'witness' },
    );
    await eventually(async () => expect(await api.get('/profiles/witness')).toMatchObject({ status: 200 }));
    expect(await api.get('/profiles/user-mute')).toMatchObject({ status: 404 });
    await eventually(async () => {
      await cleanNotices();
      expect(await tablesWith('-mute')).toEqual([]);
    });
    expect(await service.app.get(Metrics).text()).toContain('cdp_suppressed_events_total 3');
  });

  it('counts in its receipt the segments that an export has, not those that the person has left', async () => {
    const rules = [{ field: 'event_count', operator: 'lt', value: 2 }];
    const { body: newcomers } = await api.post('/segments', { name: 'newcomers', rules });
    const segments = async (): Promise<string[]> => {
      const { body } = await api.get<string>('/profiles/regular/export');
      const lines = body.split('\n').slice(0, -1);
      const parts = lines.map((line) => JSON.parse(line) as { kind: string; name: string });
      return parts.flatMap(({ kind, name }) => (kind === 'segment' ? [name] : []));
    };
    await send({ type: 'track', event: 'Bought', userId: 'regular' });
    await eventually(async () => expect(await segments()).toContain('newcomers'));
    await send({ type: 'track', event: 'Bought', userId: 'regular' });
    await eventually(async () => expect(await segments()).not.toContain('newcomers'));
    const memberships = (await segments()).length;
    const notes = await database().query(`select member from segment_member where subject = 'u:regular'`);
    expect(notes).toContainEqual({ member: false });
    expect(await api.delete('/profiles/regular')).toMatchObject({ body: { deleted: { memberships } } });
    await api.delete(`/segments/${newcomers.id}`);
  });

  it('reads, exports, deletes and suppresses a visitor by the anonymous id', async () => {
    const visit = { type: 'track', event: 'Visited', anonymousId: 'visitor-1' };
    await send(visit);
    await eventually(async () =>
      expect(await api.get('/profiles/visitor-1?by=anonymousId')).toMatchObject({
        status: 200,
        body: { userId: null, mergedUserIds: [], anonymousIds: ['visitor-1'], eventCount: 1 },
      }),
    );
    expect(await api.get('/profiles/visitor-1')).toMatchObject({ status: 404 });
    expect((await api.get('/profiles?anonymousId=visitor-1')).body).toMatchObject([
      { userId: null, eventCount: 1 },
    ]);
    expect((await api.get('/profiles/visitor-1/export?by=anonymousId')).body).toContain(
      '"subject": "a:visitor-1"',
    );

    // The id of a visitor, given as that of a user, suppresses nobody and says so.
    for (const query of ['', '?suppress=true']) {
      const wrong = await api.delete(`/profiles/visitor-1${query}`);
      expect(wrong).toMatchObject({ status: 404, body: { code: 'profile_not_found' } });
      expect(wrong.body.message).toContain('?by=anonymousId');
    }
    const receipt = await api.delete('/profiles/visitor-1?by=anonymousId&suppress=true');
    expect(receipt).toMatchObject({
      status: 200,
      body: { suppressed: true, deleted: { events: 1, identities: 1 } },
    });
    await eventually(() =>
      expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toContainEqual(
        expect.objectContaining({
          type: 'delete',
          anonymousId: 'visitor-1',
          userIds: [],
          anonymousIds: ['visitor-1'],
        }),
      ),
    );
    await send(visit, { type: 'alias', userId: 'aliased-visitor', previousId: 'visitor-1' });
    await send({ type: 'track', event: 'Other', userId: 'witness-2' });
    await eventually(async () => expect(await api.get('/profiles/witness-2')).toMatchObject({ status: 200 }));
    expect(await api.get('/profiles/visitor-1?by=anonymousId')).toMatchObject({ status: 404 });
    expect(await api.get('/profiles/aliased-visitor')).toMatchObject({ status: 404 });
  });

  it('deletes a user by any of the anonymous ids', async () => {
    await aPerson('linked');
    expect(await api.get('/profiles/anon-linked?by=anonymousId')).toMatchObject({
      body: { userId: 'user-linked', mergedUserIds: ['old-linked'], anonymousIds: ['anon-linked'] },
    });
    expect((await api.get('/profiles?anonymousId=anon-linked')).body).toMatchObject([
      { userId: 'user-linked' },
    ]);
    expect(await api.delete('/profiles/anon-linked?by=anonymousId')).toMatchObject({ status: 200 });
    expect(await api.get('/profiles/user-linked')).toMatchObject({ status: 404 });
    await eventually(() =>
      expect(receiver.received.map(({ body }) => JSON.parse(body) as unknown)).toContainEqual(
        expect.objectContaining({ type: 'delete', userId: 'user-linked', anonymousIds: ['anon-linked'] }),
      ),
    );
  });

  it('lifts a suppression for all ids that it was made for, and notes who did', async () => {
    await aPerson('lifted');
    await api.delete('/profiles/user-lifted?suppress=true');
    expect(await api.delete('/profiles/user-other/suppression')).toMatchObject({
      status: 404,
      body: { code: 'not_suppressed' },
    });
    const lifted = await api.delete('/profiles/anon-lifted/suppression?by=anonymousId');
    expect(lifted).toMatchObject({ status: 200, body: { identities: 4 } });
    expect(await api.delete('/profiles/user-lifted/suppression')).toMatchObject({ status: 404 });
    const { body: entries } = await api.get(`/audit?resource=profile&resourceId=${lifted.body.pseudonym}`);
    expect(entries).toMatchObject([{ action: 'lift_suppression', after: { identities: 4 } }]);
    await send({ type: 'track', event: 'Returned', userId: 'user-lifted' });
    await eventually(async () =>
      expect(await api.get('/profiles/user-lifted')).toMatchObject({ status: 200, body: { eventCount: 1 } }),
    );
  });

  describe('of two people with an anonymous id in common', () => {
    /** Are deleted and suppressed, one after the other. */
    async function twoPeople(mark: string): Promise<{ ofOne: string; ofBoth: string; ofOther: string }> {
      const anonymousId = `both-${mark}`;
      for (const userId of [`one-${mark}`, `other-${mark}`]) {
        await send({ type: 'track', event: 'Seen', userId, anonymousId });
        const deleted = await api.delete(`/profiles/${userId}?suppress=true`);
        expect(deleted.body).toMatchObject({ suppressed: true, deleted: { identities: 2 } });
      }
      return {
        ofOne: `/profiles/one-${mark}/suppression`,
        ofBoth: `/profiles/${anonymousId}/suppression?by=anonymousId`,
        ofOther: `/profiles/other-${mark}/suppression`,
      };
    }

    it.each(['ofOne', 'ofOther'] as const)(
      'lifts what only one of the deletions has suppressed: %s',
      async (lifted) => {
        const paths = await twoPeople(lifted);
        expect(await api.delete(paths[lifted])).toMatchObject({ status: 200, body: { identities: 1 } });
        expect(await api.delete(paths[lifted])).toMatchObject({ status: 404 });
        await send(
          { type: 'track', event: 'Returned', anonymousId: `both-${lifted}` },
          { type: 'track', event: 'Returned', userId: `witness-${lifted}` },
        );
        await eventually(async () =>
          expect(await api.get(`/profiles/witness-${lifted}`)).toMatchObject({ status: 200 }),
        );
        expect(await api.get(`/profiles/both-${lifted}?by=anonymousId`)).toMatchObject({ status: 404 });
        expect(await api.delete(paths.ofBoth)).toMatchObject({ status: 200, body: { identities: 2 } });
      },
    );

    it('lifts both by what they have in common', async () => {
      const { ofOne, ofBoth, ofOther } = await twoPeople('common');
      expect(await api.delete(ofBoth)).toMatchObject({ status: 200, body: { identities: 3 } });
      for (const path of [ofOne, ofOther]) expect(await api.delete(path)).toMatchObject({ status: 404 });
    });
  });

  it('suppresses somebody who is not known yet', async () => {
    expect(await api.delete('/profiles/never-seen')).toMatchObject({ status: 404 });
    expect(await api.delete('/profiles/never-seen?suppress=true')).toMatchObject({ status: 200 });
  });

  it('exports everything that is held about a person as JSON lines', async () => {
    await aPerson('export');
    const { status, headers, body } = await api.get<string>('/profiles/user-export/export');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; [member: string]: unknown });
    const kinds = lines.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'event')).toHaveLength(5);
    expect(kinds.filter((kind) => kind === 'identity')).toHaveLength(4);
    expect(new Set(kinds)).toEqual(new Set(['identity', 'day_count', 'segment', 'delivery', 'event']));
    const documented = new Map(
      [
        ...readFileSync(join(__dirname, '../../docs/privacy.md'), 'utf8').matchAll(
          /^\| `(\w+)`[^|]*\|[^|]*\|([^|]*)\|$/gm,
        ),
      ].map(([, kind, members = '']) => [
        kind,
        [...members.matchAll(/`(\w+)`/g)].map(([, member]) => member),
      ]),
    );
    for (const { kind, ...members } of lines) {
      expect({ kind, members: Object.keys(members).toSorted() }).toEqual({
        kind,
        members: documented.get(kind)?.toSorted(),
      });
    }
    expect(await api.get('/profiles/nobody/export')).toMatchObject({ status: 404 });
    expect(await api.get('/profiles/user-export/export?limit=1')).toMatchObject({ status: 400 });
    const audit = await api.get('/audit?resource=profile&limit=1');
    expect(audit.body).toMatchObject([
      { action: 'export', resourceId: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    const erased = await api.delete('/profiles/user-export');
    expect(erased.body.pseudonym).toBe(audit.body[0].resourceId);
  });

  it('knows who is suppressed after the encryption key was rotated', async () => {
    const client = new Client({ connectionString: service.databaseUrl });
    await client.connect();
    const ring = Config.from({ CDP_ENCRYPTION_KEY: `another-encryption-key,${TEST_ENCRYPTION_KEY}` });
    await resealAll(client, new SecretBox(ring));
    await client.end();
    const rotated = new SecretBox(Config.from({ CDP_ENCRYPTION_KEY: 'another-encryption-key' }));
    const subjects = ['u:rotated'] as const;
    const [before, after] = await Promise.all(
      [service.app.get(Pseudonyms, { strict: false }), new Pseudonyms(database(), rotated)].map(
        (pseudonyms) => pseudonyms.of(subjects, database()),
      ),
    );
    expect(after).toEqual(before);
  });

  it('needs the scope for it', async () => {
    const reader = await anApiClient(service, ['cdp:read', 'cdp:write']);
    expect(await reader.delete('/profiles/user-1')).toMatchObject({ status: 403 });
    expect(await reader.get('/profiles/user-1/export')).toMatchObject({ status: 403 });
    expect(await reader.delete('/profiles/user-1/suppression')).toMatchObject({ status: 403 });
  });
});
