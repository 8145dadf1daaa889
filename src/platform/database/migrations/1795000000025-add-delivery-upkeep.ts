import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From which delivery on there are pending ones, and when somebody last looked after the ledger. */
export class AddDeliveryUpkeep1795000000025 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table delivery_upkeep (
        only_row boolean constraint delivery_upkeep_pk primary key default true,
        -- No delivery with a lower id is pending.
        pending_from uuid not null default '00000000-0000-0000-0000-000000000000',
        -- How often deliveries that had ended became pending again.
        reopened bigint not null default 0,
        done_at timestamptz not null default '-infinity',
        constraint delivery_upkeep_only_row_ck check (only_row)
      ) with (fillfactor = 20)`);
    await runner.query('insert into delivery_upkeep default values');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table delivery_upkeep');
  }
}
