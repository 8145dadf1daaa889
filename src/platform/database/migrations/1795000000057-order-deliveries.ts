import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Destinations may ask for the events of each person in the order of their acceptance. */
export class OrderDeliveries1795000000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Who was answered before somebody else began to send has the lower number, whatever the clocks say.
    await runner.query('create sequence accepted_seq');
    // Null of what waits already: so the table is not written anew.
    await runner.query('alter table inbox add column accepted bigint');
    await runner.query(`alter table inbox alter column accepted set default nextval('accepted_seq')`);
    await runner.query(`
      alter table destination
        add column ordering jsonb,
        -- When it was last switched on or off in a destination that was there.
        add column ordered_at timestamptz`);
    await runner.query(`
      alter table delivery
        -- Of an ordered destination: a hash of whose it is, and its place among theirs.
        add column person bigint,
        add column place bigint,
        -- When it failed first, and when those behind it were let pass.
        add column held_since timestamptz,
        add column passed_at timestamptz`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table delivery drop column person, drop column place, drop column held_since, drop column passed_at',
    );
    await runner.query('alter table destination drop column ordering, drop column ordered_at');
    await runner.query('alter table inbox drop column accepted');
    await runner.query('drop sequence accepted_seq');
  }
}
