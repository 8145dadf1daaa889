import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A clock is the time (11 characters), the messageId and the end of the source id (4); see `trait-clock.ts`. */
const hashMessageIdsOfGroupsSql = `
  update customer_group as g set trait_clocks = (
    select jsonb_object_agg(key, left(value, 11) || left(
      translate(encode(sha256(convert_to(substr(value, 12, length(value) - 15), 'UTF8')), 'base64'), '+/', '-_'), 16
    ) || right(value, 4))
    from jsonb_each_text(g.trait_clocks)
  )
  where trait_clocks <> '{}'`;

/** What tells the ids of a person apart, and which suppressions were made together. */
export class AddIdsOfPeople1795000000012 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // An alias links its previousId as a user id and as an anonymous id; this one no event has used so far.
    await runner.query('alter table profile add column only_aliased boolean not null default false');
    // The deletion that suppressed it. Null in entries of versions that did not know it.
    await runner.query('alter table suppression add column receipt_id uuid');
    await runner.query('create index suppression_receipt_id_ix on suppression (receipt_id)');
    await runner.query(hashMessageIdsOfGroupsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table suppression drop column receipt_id');
    await runner.query('alter table profile drop column only_aliased');
  }
}
