import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { Config } from '../../src/platform/config/config';
import type { Subject } from '../../src/events/customer-event';
import { EventsTooLargeError } from '../../src/events/inbox/events-too-large.error';
import { Database } from '../../src/platform/database/database';
import { factColumnsSql, type FactsRow, factsOf } from '../../src/profiles/state/profile-row';
import { Metrics } from '../../src/platform/metrics/metrics';
import { SegmentMetrics } from '../../src/segments/segment.metrics';
import { ActiveSegments } from '../../src/segments/definitions/active-segments';
import { forgetEvaluations } from '../../src/segments/membership/forget-people';
import { Membership } from '../../src/segments/membership/membership';
import type { PersonChange } from '../../src/segments/membership/person-change';
import { changeRevision } from '../../src/segments/definitions/revision';
import type { RuleNode } from '../../src/segments/rules/rule';
import { addCompute, addStart } from '../../src/segments/computing/segment-tasks';
import { SegmentUpkeep } from '../../src/segments/computing/segment-upkeep';
import { anyEvent } from '../support/any-event';
import { createTestDatabase, type TestDatabase } from '../support/test-database';

const IS_A: RuleNode = { field: 'letter', operator: 'eq', value: 'a' };
const IS_B: RuleNode = { field: 'letter', operator: 'eq', value: 'b' };
const IS_A_OR_B: RuleNode = { field: 'letter', operator: 'in', value: ['a', 'b'] };

describe('the upkeep of segments', () => {
  let test: TestDatabase;
  let config: Config;
  let database: Database;
  let upkeep: SegmentUpkeep;

  beforeAll(async () => {
    test = await createTestDatabase();
    config = Config.from({ CDP_DATABASE_URL: test.url });
    database = new Database(config);
    upkeep = new SegmentUpkeep(database, new ActiveSegments(database, config));
    await database.query(
      `insert into profile (subject, traits, event_count)
       select 'u:' || letter || n, jsonb_build_object('letter', letter), 1
       from unnest(array['a', 'b', 'c']) letter, generate_series(1, 3) n`,
    );
  });
  afterAll(async () => {
    await database.pool.end();
    await test.drop();
  });
  afterEach(async () => {
    await database.query(
      'truncate segment, segment_task, segment_member, segment_member_count, customer_group, group_evaluation',
    );
    await database.query(`delete from profile where groups <> '{}'`);
  });

  it('does a batch again whose transaction was lost, and computes what is left', async () => {
    const segmentId = await define([IS_A]);
    await expect(
      database.transaction(async (tx) => {
        expect(await upkeep.step(tx)).toMatchObject({ busy: true });
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect(await stateOf(segmentId)).toMatchObject({ state: 'computing' });
    await finish();
    expect(await stateOf(segmentId)).toMatchObject({ state: 'live', failure: null });
    expect(await members(segmentId)).toEqual(['u:a1', 'u:a2', 'u:a3']);
    expect(await database.query('select * from segment_task')).toEqual([]);
  });

  it('computes few definitions at a time, so that events need not write verdicts for all that wait', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 6; count += 1) ids.push(await define([IS_A], { inTurn: true }));
    for (let count = 0; count < 4; count += 1) await step();
    const evaluated = await database.transaction((tx) => new ActiveSegments(database, config).shareLock(tx));
    expect(evaluated.index.generations.map(({ phase }) => phase)).toEqual(Array(4).fill('computing'));
    expect(await database.query(`select from segment_task where kind = 'start'`)).toHaveLength(2);
    await finish();
    for (const id of ids) {
      expect(await stateOf(id)).toMatchObject({ state: 'live' });
      expect(await members(id)).toEqual(['u:a1', 'u:a2', 'u:a3']);
    }
  });

  it('keeps what events have written of the generation that it computes', async () => {
    const segmentId = await define([IS_A_OR_B]);
    await database.query(
      `insert into segment_member (subject, generation, member, changed_at)
       select 'u:a2', generation, false, now() from segment where id = $1`,
      [segmentId],
    );
    await finish();
    expect(await members(segmentId)).toEqual(['u:a1', 'u:a3', 'u:b1', 'u:b2', 'u:b3']);
  });

  it('tells of nobody in the first computation, unless asked', async () => {
    await define([IS_A]);
    expect(await finish()).toEqual([]);
    await define([IS_B], { announceFirst: true });
    expect((await finish()).map(({ subject, change }) => `${subject} ${change}`)).toEqual([
      'u:b1 entered',
      'u:b2 entered',
      'u:b3 entered',
    ]);
  });

  it('keeps the old members until the new ones are complete, then tells who moved', async () => {
    const segmentId = await define([IS_A]);
    await finish();
    await database.query(`update segment_member set changed_at = '2020-01-01'`);
    await redefine(segmentId, [IS_A_OR_B]);
    await step(); // compute
    expect(await members(segmentId)).toEqual(['u:a1', 'u:a2', 'u:a3']);
    expect((await finish()).map(({ subject, change }) => `${subject} ${change}`)).toEqual([
      'u:b1 entered',
      'u:b2 entered',
      'u:b3 entered',
    ]);
    expect(await members(segmentId)).toEqual(['u:a1', 'u:a2', 'u:a3', 'u:b1', 'u:b2', 'u:b3']);
    expect(await database.query('select distinct generation from segment_member')).toHaveLength(1);
    // Who stayed has been in it since before.
    const [stayed] = await database.query<{ since: string }>(
      `select entered_at::date::text as since from live_segment_member where subject = 'u:a1'`,
    );
    expect(stayed).toEqual({ since: '2020-01-01' });
    await redefine(segmentId, [IS_B]);
    expect((await finish()).map(({ subject, change }) => `${subject} ${change}`)).toEqual([
      'u:a1 exited',
      'u:a2 exited',
      'u:a3 exited',
    ]);
  });

  it('keeps the time of entry of a member whom an event touches while a changed definition is computed', async () => {
    const segmentId = await changeDefinitionOfOldMembers();
    await changeLetter('u:a1', 'a');
    await finish();
    expect(await enteredIn2020(segmentId)).toEqual(['u:a1', 'u:a2', 'u:a3']);
  });

  it('has somebody enter anew who leaves by an event while a changed definition is computed, and is in that', async () => {
    const segmentId = await changeDefinitionOfOldMembers();
    await changeLetter('u:a1', 'b');
    await finish();
    expect(await members(segmentId)).toContain('u:a1');
    expect(await enteredIn2020(segmentId)).toEqual(['u:a2', 'u:a3']);
    await changeLetter('u:a1', 'a');
  });

  it('tells of what moved in the end when the rules change again before a switch is settled', async () => {
    const segmentId = await define([IS_A]);
    await finish();
    await redefine(segmentId, [IS_B]);
    await untilSwitched(segmentId);
    await redefine(segmentId, [IS_A_OR_B]);
    await untilSwitched(segmentId);
    expect((await settle()).map(({ subject, change }) => `${subject} ${change}`)).toEqual([
      'u:b1 entered',
      'u:b2 entered',
      'u:b3 entered',
    ]);
    expect(await database.query('select distinct generation from segment_member')).toHaveLength(1);
  });

  it('tells what an event changes between a switch and its settling once, and nothing that it takes back', async () => {
    const segmentId = await define([IS_A]);
    await finish();
    await redefine(segmentId, [IS_B]);
    await untilSwitched(segmentId);
    // a1 would exit and stays, a2 exits early, b1 would enter and is not told of.
    const moved = [
      ...(await changeLetter('u:a1', 'b')),
      ...(await changeLetter('u:a2', 'c')),
      ...(await changeLetter('u:b1', 'a')),
      ...(await settle()),
    ];
    expect(moved.map(({ subject, change }) => `${subject} ${change}`).sort()).toEqual([
      'u:a2 exited',
      'u:a3 exited',
      'u:b2 entered',
      'u:b3 entered',
    ]);
    expect(await members(segmentId)).toEqual(['u:a1', 'u:b2', 'u:b3']);
    await changeLetter('u:a1', 'a');
    await changeLetter('u:a2', 'a');
    await changeLetter('u:b1', 'b');
  });

  it('leaves somebody for later whose profile is locked', async () => {
    const segmentId = await define([IS_A]);
    await finish();
    await redefine(segmentId, [IS_A_OR_B]);
    await untilSwitched(segmentId);
    await database.query('update segment_task set run_after = now()');
    const told = await database.transaction(async (tx) => {
      await tx.query(`select from profile where subject = 'u:b2' for update`);
      return (await step()).changes.map(({ subject }) => subject);
    });
    expect(told).toEqual(['u:b1', 'u:b3']);
    expect((await settle()).map(({ subject, change }) => `${subject} ${change}`)).toEqual(['u:b2 entered']);
  });

  it('removes the rows of a generation that others have not locked, and the others later', async () => {
    const segmentId = await define([IS_A]);
    await finish();
    await database.query(
      `insert into segment_task (kind, segment_id, generation) values ('discard', $1, -1)`,
      [segmentId],
    );
    await database.query(
      `insert into segment_member (subject, generation, member, changed_at)
       select subject, -1, subject < 'u:b', now() from profile`,
    );
    const left = 'select subject from segment_member where generation = -1 order by subject';
    await database.transaction(async (other) => {
      // As a merge does it.
      await other.query(`delete from segment_member where generation = -1 and subject in ('u:a2', 'u:b2')`);
      await database.transaction(async (tx) => {
        await tx.query(`set local lock_timeout = '1s'`);
        await upkeep.step(tx);
      });
      expect(await database.query(left)).toEqual([{ subject: 'u:a2' }, { subject: 'u:b2' }]);
      await finish();
      expect(await database.query('select kind from segment_task')).toEqual([{ kind: 'discard' }]);
      await other.query(`insert into segment_member values ('u:c4', -1, false, now())`);
    });
    await settle();
    expect(await database.query(left)).toEqual([]);
    expect(await database.query('select from segment_task')).toEqual([]);
  });

  it('starts again when the table of profiles is written anew', async () => {
    const segmentId = await define([IS_A]);
    await database.query('vacuum full profile');
    await finish();
    expect(await members(segmentId)).toEqual(['u:a1', 'u:a2', 'u:a3']);
  });

  it('calls a segment failed that cannot be computed, keeps its old members and goes on with others', async () => {
    const broken = await define([IS_A]);
    await finish();
    await redefine(broken, [{ field: 'letter', operator: 'like', value: 'a' } as unknown as RuleNode]);
    const other = await define([IS_B]);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await finish();
      await database.query('update segment_task set run_after = now()');
    }
    await finish();
    expect(await stateOf(broken)).toEqual({
      state: 'failed',
      failure: expect.stringContaining('Must be one of'),
    });
    expect(await members(broken)).toEqual(['u:a1', 'u:a2', 'u:a3']);
    expect(await stateOf(other)).toMatchObject({ state: 'live' });
    expect(await database.query('select * from segment_task')).toEqual([]);
  });

  it('takes fewer people at once after a step that took too long', async () => {
    await database.query(
      `insert into profile (subject, traits, event_count)
       select 'u:many-' || n, '{"letter": "many"}', 1 from generate_series(1, 3000) n`,
    );
    await database.query(`
      create function refuse_many() returns trigger language plpgsql as $$ begin
        if (select count(*) from written) > 1500 then
          raise exception 'canceling statement due to statement timeout' using errcode = '57014';
        end if;
        return null;
      end $$`);
    await database.query(`
      create trigger refuse_many after insert on segment_member referencing new table as written
      for each statement execute function refuse_many()`);
    const segmentId = await define([{ field: 'letter', operator: 'eq', value: 'many' }]);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      await finish();
      await database.query('update segment_task set run_after = now()');
    }
    await finish();
    expect(await stateOf(segmentId)).toMatchObject({ state: 'live' });
    expect(await members(segmentId)).toHaveLength(3_000);
    await database.query('drop function refuse_many cascade');
    await database.query(`delete from profile where subject like 'u:many-%'`);
  });

  it('forgets people whose profile is gone when they are due', async () => {
    const segmentId = await define([{ field: 'first_seen', operator: 'neq', value: '2020-01-01' }]);
    await finish();
    await database.query(
      `insert into segment_member (subject, generation, member, changed_at, due_at)
       select 'u:gone', live_generation, false, now(), now() from segment where id = $1`,
      [segmentId],
    );
    await finish();
    expect(await database.query('select * from segment_member where due_at <= now()')).toEqual([]);
  });

  it('leaves what is due of rules of a newer version to a process that can evaluate them', async () => {
    await define([IS_A]);
    await finish();
    await database.query(
      `insert into segment_member (subject, generation, member, changed_at, due_at) values ('u:a1', 999999, true, now(), now())`,
    );
    await finish();
    const [left] = await database.query<{ later: boolean }>(
      `delete from segment_member where generation = 999999 returning due_at > now() as later`,
    );
    expect(left).toEqual({ later: true });
  });

  it('shares those who are due with other workers, and waits for none of them', async () => {
    const segmentId = await define([IS_A]);
    await finish();
    await database.query(
      `insert into profile (subject, traits, event_count)
       select 'u:due-' || n, '{}', 1 from generate_series(1, 600) n`,
    );
    await database.query(
      `insert into segment_member (subject, generation, member, changed_at, due_at)
       select 'u:due-' || n, live_generation, true, now(), now() - (601 - n) * interval '1 second'
       from segment, generate_series(1, 600) n where id = $1`,
      [segmentId],
    );
    await database.transaction(async (other) => {
      await other.query(
        `select from profile where subject in (select 'u:due-' || n from generate_series(1, 500) n) for update`,
      );
      const others = await finish();
      expect(others).toHaveLength(100);
      expect(others).toContainEqual(expect.objectContaining({ subject: 'u:due-501', change: 'exited' }));
      await database.transaction(async (tx) => {
        expect(await upkeep.step(tx)).toEqual({ changes: [], busy: false });
        // But for the lock that keeps erasures out: what comes next may take the one of all evaluations alone.
        expect(
          await tx.query(
            `select from pg_locks where pid = pg_backend_pid() and locktype in ('advisory', 'tuple')`,
          ),
        ).toHaveLength(1);
      });
    });
    expect(await finish()).toHaveLength(500);
    expect(await members(segmentId)).toEqual(['u:a1', 'u:a2', 'u:a3']);
    await database.query(`delete from profile where subject like 'u:due-%'`);
  });

  it('is late by the time for which somebody has been due', async () => {
    await define([IS_A]);
    await finish();
    const lateS = async (): Promise<number> => {
      const metrics = new Metrics();
      void new SegmentMetrics(metrics, database);
      return Number(/^cdp_segment_lag_seconds (\S+)/m.exec(await metrics.text())?.[1]);
    };
    expect(await lateS()).toBe(0);
    await database.query(`update segment_member set due_at = now() + interval '1 hour'`);
    expect(await lateS()).toBe(0);
    await database.query(
      `update segment_member set due_at = now() - interval '1 hour' where subject = 'u:a2'`,
    );
    expect(await lateS()).toBeGreaterThanOrEqual(3_600);
  });

  describe('of somebody with very many events', () => {
    const HOT: Subject = 'u:hot';
    const FEW: Subject = 'u:few';
    const someItems = (least: number): RuleNode => ({
      event: 'Viewed',
      aggregate: 'unique',
      of: 'properties.item',
      within: '30d',
      operator: 'gte',
      value: least,
    });

    beforeAll(() => database.query('create table event_any partition of event default'));
    beforeEach(async () => {
      await database.query(
        `insert into profile (subject, traits, event_count) values ($1, '{"letter": "a"}', 30000), ($2, '{}', 3)`,
        [HOT, FEW],
      );
      await database.query(
        `insert into event (subject, "timestamp", id, source_id, type, name, payload)
         select s, now(), id, gen_random_uuid(), 'track', 'Viewed',
           json_build_object('properties', json_build_object('item', n))
         from unnest($1::text[]) as s, unnest($2::uuid[]) with ordinality as i (id, n)`,
        [
          [HOT, FEW],
          [uuidv7(), uuidv7(), uuidv7()],
        ],
      );
    });
    afterEach(async () => {
      await database.query('truncate event');
      await database.query('delete from profile where subject = any($1::text[])', [[HOT, FEW]]);
    });

    it('evaluates what reads them in the background, bit by bit, and everything else and all others at once', async () => {
      const isA = await define([IS_A]);
      const ofItems = [
        await define([someItems(2)]),
        await define([someItems(3)]),
        await define([someItems(4)]),
      ];
      ofItems.push(await define([{ ...someItems(1), within: '30h' }]));
      await finish();
      // As if nobody had been looked at yet.
      await database.query('truncate segment_member, segment_member_count');
      const moved = await view([HOT, FEW], ['letter']);
      expect(said(moved)).toEqual([...Array(3).fill('u:few entered'), 'u:hot entered']);
      expect(await members(isA)).toEqual([HOT]);
      // One definition a step.
      const steps: string[][] = [];
      for (let at = 0; at < ofItems.length; at += 1) steps.push(said((await step()).changes));
      expect(steps.filter((moves) => moves.length > 0)).toEqual(
        Array.from({ length: 3 }, () => ['u:hot entered']),
      );
      expect(await finish()).toEqual([]);
      expect(await Promise.all(ofItems.map(members))).toEqual([[FEW, HOT], [FEW, HOT], [], [FEW, HOT]]);
      expect(await database.query('select from segment_member where due_at <= now()')).toEqual([]);
    });

    it('keeps what it left for later, whatever happens meanwhile', async () => {
      const segmentId = await define([someItems(3)]);
      await finish();
      expect(await members(segmentId)).toEqual([FEW, HOT]);
      await database.query('delete from event where subject = $1', [HOT]);
      expect(await view([HOT])).toEqual([]);
      expect(await view([HOT])).toEqual([]);
      await expect(
        database.transaction(async (tx) => {
          await upkeep.step(tx);
          throw new Error('killed');
        }),
      ).rejects.toThrow('killed');
      expect(await members(segmentId)).toEqual([FEW, HOT]);
      expect(said(await finish())).toEqual(['u:hot exited']);
      expect(await members(segmentId)).toEqual([FEW]);
    });

    it('evaluates all others where it fails with somebody, who is left alone for a while', async () => {
      const OTHERS = Array.from({ length: 6 }, (_, n): Subject => `u:other-${n}`);
      const segmentId = await define([someItems(1)]);
      await database.query(`insert into profile (subject, event_count) select unnest($1::text[]), 1`, [
        OTHERS,
      ]);
      await finish();
      await database.query('truncate event');
      await database.query(
        `insert into segment_member (subject, generation, member, changed_at)
         select unnest($2::text[]), live_generation, true, now() from segment where id = $1`,
        [segmentId, OTHERS],
      );
      await database.query('update segment_member set due_at = now()');
      await database.query(`
        create function refuse_hot() returns trigger language plpgsql as $$ begin
          raise exception 'canceling statement due to statement timeout' using errcode = '57014';
        end $$`);
      await database.query(`
        create trigger refuse_hot before insert on segment_member for each row when (new.subject = '${HOT}')
        execute function refuse_hot()`);
      const moved: PersonChange[] = [];
      for (let attempt = 0; attempt < 10; attempt += 1) moved.push(...(await finish()));
      expect(said(moved)).toEqual([FEW, ...OTHERS].map((subject) => `${subject} exited`));
      expect(await members(segmentId)).toEqual([HOT]);
      expect(await database.query('select from segment_member where due_at <= now()')).toEqual([]);
      await database.query('drop function refuse_hot cascade');
      await database.query('update segment_member set due_at = now() where subject = $1', [HOT]);
      expect(said(await finish())).toEqual(['u:hot exited']);
      await database.query('delete from profile where subject = any($1::text[])', [OTHERS]);
    });

    function said(changes: readonly PersonChange[]): string[] {
      return changes.map(({ subject, change }) => `${subject} ${change}`).sort();
    }

    /** As events of theirs do it. */
    async function view(
      subjects: readonly Subject[],
      changedTraits: string[] = [],
    ): Promise<readonly PersonChange[]> {
      return database.transaction(async (tx) => {
        const rows = await tx.query<FactsRow & Record<string, unknown>>(
          `select ${factColumnsSql} from profile p where subject = any($1::text[]) order by subject for update`,
          [subjects],
        );
        const profiles = rows.map((row) => ({
          facts: factsOf(row),
          created: false,
          changedTraits,
          events: [anyEvent({ event: 'Viewed', properties: { item: 1 } })],
          groupsChanged: false,
          mergedSubjects: [],
        }));
        return new Membership(new ActiveSegments(database, config)).reevaluate({ profiles, groups: [] }, tx);
      });
    }
  });

  describe('after a change of the traits of a group', () => {
    const IS_PRO: RuleNode = { field: 'groups.plan', operator: 'eq', value: 'pro' };
    const HAS_NO_LARGE_ORDER: RuleNode = {
      event: 'Order',
      where: [{ field: 'properties.total', operator: 'gt', value: 100 }],
      within: '30d',
      operator: 'eq',
      value: 0,
    };

    it('looks at its members batch by batch, and goes on where it was when a process is killed', async () => {
      await makeGroup('acme', 1_200);
      await makeGroup('other', 2);
      const pro = await define([IS_PRO]);
      const rest = await define([{ field: 'segments', operator: 'not_contains', value: pro }]);
      await finish();
      expect(await members(pro)).toEqual([]);
      await changePlan('acme', 'pro');
      await step(); // writes down who is in it
      expect((await step()).changes).toHaveLength(1_000);
      await expect(
        database.transaction(async (tx) => {
          expect((await upkeep.step(tx)).changes).toHaveLength(1_000);
          throw new Error('killed');
        }),
      ).rejects.toThrow('killed');
      expect(await members(pro)).toHaveLength(500);
      const changes = await finish();
      expect(changes.filter(({ change }) => change === 'entered')).toHaveLength(700);
      expect(await members(pro)).toHaveLength(1_200);
      expect(await members(rest)).toHaveLength(9 + 2);
      expect(await database.query('select from group_evaluation')).toEqual([]);
      await changePlan('acme', 'free');
      await finish();
      expect(await members(pro)).toEqual([]);
      expect(await members(rest)).toHaveLength(9 + 1_200 + 2);
    });

    it('leaves no change out that comes while an earlier one is worked on, and looks once for those that wait', async () => {
      await makeGroup('acme', 1_200);
      const pro = await define([IS_PRO]);
      await finish();
      await changePlan('acme', 'pro');
      await step();
      await step();
      await changePlan('acme', 'free');
      await changePlan('acme', 'pro');
      await changePlan('acme', 'basic');
      expect(await database.query('select from group_evaluation where part = 0')).toHaveLength(1);
      await finish();
      expect(await members(pro)).toEqual([]);
      // The transaction that changes the group and the one that works on it do not wait for each other.
      await changePlan('acme', 'free');
      await database.transaction(async (tx) => {
        await upkeep.step(tx);
        await changePlan('acme', 'pro');
      });
      await finish();
      expect(await members(pro)).toHaveLength(1_200);
    });

    it('looks later at somebody whose profile is locked', async () => {
      await makeGroup('acme', 3);
      const pro = await define([IS_PRO]);
      await finish();
      await changePlan('acme', 'pro');
      await step();
      const moved = await database.transaction(async (tx) => {
        await tx.query(`select from profile where subject = 'u:acme 2' for update`);
        return (await step()).changes.map(({ subject }) => subject);
      });
      expect(moved).toEqual(['u:acme 1', 'u:acme 3']);
      await database.query('update group_evaluation set run_after = now()');
      expect((await finish()).map(({ subject, change }) => `${subject} ${change}`)).toEqual([
        'u:acme 2 entered',
      ]);
      expect(await members(pro)).toEqual(['u:acme 1', 'u:acme 2', 'u:acme 3']);
    });

    it('looks at as many of its members at once as take no longer than a step may', async () => {
      await makeGroup('acme', 30, 10_000);
      const pro = await define([IS_PRO, HAS_NO_LARGE_ORDER]);
      await finish();
      await changePlan('acme', 'pro');
      await step();
      const { changes } = await step();
      expect(changes.length).toBeGreaterThan(0);
      expect(changes.length).toBeLessThan(30);
      expect(changes.length + (await finish()).length).toBe(30);
      expect(await members(pro)).toHaveLength(30);
      expect(await database.query('select from group_evaluation')).toEqual([]);
    });

    it('has somebody looked at as due who has so many events that others would wait', async () => {
      await makeGroup('acme', 1, 1_000_000);
      const segments = await Promise.all([1, 2].map(() => define([IS_PRO, HAS_NO_LARGE_ORDER])));
      await finish();
      await changePlan('acme', 'pro');
      await step();
      expect(await step()).toMatchObject({ changes: [] });
      expect(await database.query('select from group_evaluation')).toEqual([]);
      await finish();
      for (const segment of segments) expect(await members(segment)).toEqual(['u:acme 1']);
    });

    it('evaluates all others where it fails with a member, who is left alone for a while', async () => {
      await makeGroup('acme', 5);
      const pro = await define([IS_PRO]);
      await finish();
      await changePlan('acme', 'pro');
      await database.query(`
        create function refuse_third() returns trigger language plpgsql as $$ begin
          raise exception 'canceling statement due to statement timeout' using errcode = '57014';
        end $$`);
      await database.query(`
        create trigger refuse_third before insert or update on segment_member for each row
        when (new.subject = 'u:acme 3' and new.member) execute function refuse_third()`);
      const moved: PersonChange[] = [];
      for (let attempt = 0; attempt < 10; attempt += 1) moved.push(...(await finish()));
      const others = ['u:acme 1', 'u:acme 2', 'u:acme 4', 'u:acme 5'];
      expect(moved.map(({ subject }) => subject).toSorted()).toEqual(others);
      expect(await members(pro)).toEqual(others);
      expect(await database.query('select from group_evaluation')).toEqual([]);
      await database.query('drop function refuse_third cascade');
      await database.query('update segment_member set due_at = now() where due_at is not null');
      expect((await finish()).map(({ subject }) => subject)).toEqual(['u:acme 3']);
    });

    it('keeps the traits still while a merge brings somebody into the group', async () => {
      await makeGroup('acme', 1);
      await define([IS_PRO]);
      await finish();
      const [row] = await database.query<FactsRow & Record<string, unknown>>(
        `select ${factColumnsSql} from profile p where subject = 'u:acme 1'`,
      );
      if (row === undefined) throw new Error('no profile');
      const merged = { created: false, changedTraits: [], events: [], groupsChanged: true };
      const touched = { ...merged, facts: factsOf(row), mergedSubjects: ['a:visitor' as Subject] };
      await database.transaction(async (tx) => {
        await new Membership(new ActiveSegments(database, config)).reevaluate(
          { profiles: [touched], groups: [] },
          tx,
        );
        const change = database.transaction(async (other) => {
          await other.query(`set local lock_timeout = '50ms'`);
          await other.query(`update customer_group set traits = '{}' where group_id = 'acme'`);
        });
        await expect(change).rejects.toThrow('lock timeout');
      });
    });

    it('takes people who are erased out of what is left to look at', async () => {
      await makeGroup('acme', 3);
      await define([IS_PRO]);
      await finish();
      await changePlan('acme', 'pro');
      await step();
      await database.transaction((tx) => forgetEvaluations(['u:acme 2'], tx));
      expect(await database.query('select subjects from group_evaluation')).toEqual([
        { subjects: expect.not.arrayContaining(['u:acme 2']) },
      ]);
      expect((await finish()).map(({ subject }) => subject)).toEqual(['u:acme 1', 'u:acme 3']);
    });

    it('does nothing where no segment asks about the trait', async () => {
      await makeGroup('acme', 3);
      await define([{ field: 'groups.size', operator: 'gt', value: 5 }]);
      await finish();
      await changePlan('acme', 'pro');
      expect(await database.query('select from group_evaluation')).toEqual([]);
    });

    describe('of people whose own groups have more traits than a transaction may read', () => {
      const PEOPLE = 6;

      it('takes as many of them in a step as there is room for', async () => {
        const pro = await defineAmongLargeGroups();
        await changePlan('acme', 'pro');
        await step();
        expect(await peopleOfSteps()).toEqual([2, 2, 2]);
        expect(await members(pro)).toHaveLength(PEOPLE);
        expect(await database.query('select from group_evaluation')).toEqual([]);
      });

      it('does the same with those who are due', async () => {
        const pro = await defineAmongLargeGroups();
        await database.query(`update customer_group set traits = '{"plan": "pro"}' where group_id = 'acme'`);
        await database.query(
          `insert into segment_member (subject, generation, member, changed_at, due_at)
           select subject, live_generation, false, '-infinity', now() from segment, profile where 'acme' = any(groups)`,
        );
        expect(await peopleOfSteps()).toEqual([2, 2, 2]);
        expect(await members(pro)).toHaveLength(PEOPLE);
      });

      it('has events that are about several of them taken in parts, and looks at any one', async () => {
        await defineAmongLargeGroups();
        const rows = await database.query<FactsRow & Record<string, unknown>>(
          `select ${factColumnsSql} from profile p where 'acme' = any(groups) order by subject`,
        );
        const reevaluate = (people: typeof rows): Promise<unknown> =>
          database.transaction((tx) => {
            const touched = { created: false, changedTraits: [], events: [], groupsChanged: true };
            const profiles = people.map((row) => ({ ...touched, facts: factsOf(row), mergedSubjects: [] }));
            return new Membership(new ActiveSegments(database, config)).reevaluate(
              { profiles, groups: [] },
              tx,
            );
          });
        await expect(reevaluate(rows)).rejects.toThrow(EventsTooLargeError);
        await reevaluate(rows.slice(0, 2));
        await database.query(
          `update customer_group set traits = jsonb_build_object('plan', repeat('x', 9000000)) where group_id = 'own 1'`,
        );
        await reevaluate(rows.slice(0, 1));
      });

      it('looks at people with very many groups that have no such trait', async () => {
        const pro = await define([IS_PRO]);
        await finish();
        await database.query(
          `insert into customer_group (group_id, traits) select 'own ' || n, '{}' from generate_series(1, 2500) as n`,
        );
        await makeGroup('acme', 2);
        await database.query(
          `update profile set groups = groups || array(select group_id from customer_group where group_id like 'own %')
           where 'acme' = any(groups)`,
        );
        await changePlan('acme', 'pro');
        await finish();
        expect(await members(pro)).toHaveLength(2);
      });

      /** Two of their groups have room together. */
      async function defineAmongLargeGroups(): Promise<string> {
        await makeGroup('acme', PEOPLE);
        const pro = await define([IS_PRO]);
        await finish();
        await database.query(
          `insert into customer_group (group_id, traits)
           select 'own ' || n, jsonb_build_object('plan', repeat('x', 3000000)) from generate_series(1, $1) as n`,
          [PEOPLE],
        );
        await database.query(
          `update profile set groups = groups || ('own ' || substr(subject, 8)) where 'acme' = any(groups)`,
        );
        return pro;
      }

      /** How many people each step has looked at that looked at any. */
      async function peopleOfSteps(): Promise<number[]> {
        const sizes: number[] = [];
        for (;;) {
          const { changes, busy } = await step();
          if (!busy) return sizes.filter((size) => size > 0);
          sizes.push(changes.length);
        }
      }
    });

    /** @param events that its members seem to have */
    async function makeGroup(groupId: string, size: number, events = 1): Promise<void> {
      await database.query(`insert into customer_group (group_id, traits) values ($1, '{}')`, [groupId]);
      await database.query(
        `insert into profile (subject, groups, event_count)
         select 'u:' || $1 || ' ' || n, array[$1], $3 from generate_series(1, $2) n`,
        [groupId, size, events],
      );
    }

    /** As an event without a person does it. */
    async function changePlan(groupId: string, plan: string): Promise<void> {
      await database.transaction(async (tx) => {
        await tx.query('update customer_group set traits = $2 where group_id = $1', [groupId, { plan }]);
        const groups = [{ groupId, created: false, changedTraits: ['plan'] }];
        await new Membership(new ActiveSegments(database, config)).reevaluate({ profiles: [], groups }, tx);
      });
    }
  });

  async function define(rules: RuleNode[], { announceFirst = false, inTurn = false } = {}): Promise<string> {
    const id = randomUUID();
    await database.transaction(async (tx) => {
      await changeRevision(tx);
      const [row] = await tx.query<{ generation: number }>(
        `insert into segment (id, name, match, rules, generation, announce_first)
         values ($1, 'Letters', 'all', $2, nextval('segment_generation_seq'), $3) returning generation`,
        [id, JSON.stringify(rules), announceFirst],
      );
      const add = inTurn ? addStart : addCompute;
      await add({ id, generation: row?.generation ?? 0, liveGeneration: null }, tx);
    });
    return id;
  }

  async function redefine(id: string, rules: RuleNode[]): Promise<void> {
    await database.transaction(async (tx) => {
      await changeRevision(tx);
      const [row] = await tx.query<{ generation: number; liveGeneration: number }>(
        `update segment set live_rules = rules, live_match = match, rules = $2, state = 'computing',
           generation = nextval('segment_generation_seq')
         where id = $1 returning generation, live_generation as "liveGeneration"`,
        [id, JSON.stringify(rules)],
      );
      if (row === undefined) throw new Error('no segment');
      await addCompute({ id, ...row }, tx);
    });
  }

  async function untilSwitched(segmentId: string): Promise<void> {
    while ((await stateOf(segmentId))?.state !== 'live') await step();
    await database.query(`update segment_task set run_after = 'infinity' where kind = 'settle'`);
  }

  async function settle(): Promise<PersonChange[]> {
    await database.query('update segment_task set run_after = now()');
    return finish();
  }

  /** As an event does it. */
  async function changeLetter(subject: Subject, letter: string): Promise<readonly PersonChange[]> {
    return database.transaction(async (tx) => {
      const [row] = await tx.query<FactsRow & Record<string, unknown>>(
        `update profile p set traits = $2 where subject = $1 returning ${factColumnsSql}`,
        [subject, JSON.stringify({ letter })],
      );
      if (row === undefined) throw new Error('no profile');
      const touched = {
        facts: factsOf(row),
        created: false,
        changedTraits: ['letter'],
        events: [],
        groupsChanged: false,
        mergedSubjects: [],
      };
      return new Membership(new ActiveSegments(database, config)).reevaluate(
        { profiles: [touched], groups: [] },
        tx,
      );
    });
  }

  async function step(): Promise<{ changes: readonly PersonChange[]; busy: boolean }> {
    return database.transaction((tx) => upkeep.step(tx));
  }

  /** Works until there is nothing to do; answers all changes. */
  async function finish(): Promise<PersonChange[]> {
    const changes: PersonChange[] = [];
    for (;;) {
      const done = await step();
      changes.push(...done.changes);
      if (!done.busy) return changes;
    }
  }

  async function stateOf(id: string): Promise<{ state: string } | undefined> {
    const [segment] = await database.query<{ state: string }>(
      'select state, failure from segment where id = $1',
      [id],
    );
    return segment;
  }

  /** Its members are there since 2020; the new definition is not computed yet. */
  async function changeDefinitionOfOldMembers(): Promise<string> {
    const segmentId = await define([IS_A]);
    await finish();
    await database.query(`update segment_member set changed_at = '2020-01-01'`);
    await redefine(segmentId, [IS_A_OR_B]);
    return segmentId;
  }

  async function enteredIn2020(id: string): Promise<string[]> {
    const rows = await database.query<{ subject: string }>(
      `select subject from live_segment_member where segment_id = $1 and entered_at < '2021-01-01' order by subject`,
      [id],
    );
    return rows.map(({ subject }) => subject);
  }

  async function members(id: string): Promise<string[]> {
    const rows = await database.query<{ subject: string }>(
      'select subject from live_segment_member where segment_id = $1 order by subject',
      [id],
    );
    return rows.map(({ subject }) => subject);
  }
});
