import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the people of a group. Most people are in none and cost nothing. */
export class IndexGroupsOfPeople1795000000014 implements MigrationInterface {
  /** Events go on while the index is made. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // One that was cut off stays behind, invalid.
    await runner.query('drop index concurrently if exists profile_groups_ix');
    await runner.query(
      `create index concurrently profile_groups_ix on profile using gin (groups) where groups <> '{}'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index concurrently profile_groups_ix');
  }
}
