import type { MigrationInterface, QueryRunner } from 'typeorm';
import { failureOf } from '../failure';

/** Of one partition. */
const DAYS = 28;
/** Beyond the first one: processes make more of them when they boot. */
const PARTITIONS_AHEAD = 2;

/** Statements queue up behind one that waits for its lock, so it gives up soon, and is tried again. */
const LOCK_TIMEOUT = '2s';

/** The first one above the days that are there, and that may still come before the tables are changed over. */
const firstPeriodSql = `
  select case when newest is null then this - 1
    else (greatest(newest, current_date + 2) - date '1970-01-01') / ${DAYS} + 1 end as period
  from (select max(day) as newest from profile_day) as d,
    (select (current_date - date '1970-01-01') / ${DAYS} as this) as p`;

/**
 * Counts per day in partitions of four weeks. All that is counted now is then at one place for each person and month,
 * and not among all days that there ever were: an event of somebody who has not been seen for long changed a page of
 * the index of its own, all of which is written to the log. Rows that are there stay where they are, in the first
 * partition.
 */
export class PartitionDays1795000000096 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    const isDone = await runner.query(
      `select from pg_class where oid = 'profile_day'::regclass and relkind = 'p'`,
    );
    if ((isDone as unknown[]).length > 0) return;
    const [first] = (await runner.query(firstPeriodSql)) as { period: number }[];
    const startOf = (period: number): string => `date '1970-01-01' + ${period * DAYS}`;
    const firstPeriod = Number(first?.period);
    await whenLocked(runner, [
      'alter table profile_day drop constraint if exists profile_day_before_ck',
      `alter table profile_day add constraint profile_day_before_ck check (day < ${startOf(firstPeriod)}) not valid`,
    ]);
    await runner.query('alter table profile_day validate constraint profile_day_before_ck');
    const periods = Array.from({ length: 1 + PARTITIONS_AHEAD }, (_, index) => firstPeriod + index);
    await whenLocked(runner, [
      'alter table profile_day rename to profile_day_before',
      'alter index profile_day_pk rename to profile_day_before_pk',
      'create table profile_day (like profile_day_before including defaults) partition by range (day)',
      'alter table profile_day add constraint profile_day_pk primary key (subject, name, day)',
      `alter table profile_day attach partition profile_day_before for values from (minvalue) to (${startOf(firstPeriod)})`,
      'alter table profile_day_before drop constraint profile_day_before_ck',
      ...periods.map((period) => {
        const name = `profile_day_d${DAYS}_${period}`;
        const bounds = `from (${startOf(period)}) to (${startOf(period + 1)})`;
        return `create table ${name} partition of profile_day for values ${bounds} with (fillfactor = 80)`;
      }),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await whenLocked(runner, [
      'alter table profile_day rename to profile_day_partitioned',
      'alter index profile_day_pk rename to profile_day_partitioned_pk',
      'create table profile_day (like profile_day_partitioned including defaults) with (fillfactor = 80)',
      'insert into profile_day select * from profile_day_partitioned',
      'alter table profile_day add constraint profile_day_pk primary key (subject, name, day)',
      'drop table profile_day_partitioned',
    ]);
  }
}

async function whenLocked(runner: QueryRunner, changes: readonly string[]): Promise<void> {
  for (;;) {
    await runner.startTransaction();
    try {
      await runner.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`);
      for (const change of changes) await runner.query(change);
      await runner.commitTransaction();
      return;
    } catch (error) {
      await runner.rollbackTransaction();
      if (failureOf(error) !== 'lock_timeout') throw error;
    }
  }
}
