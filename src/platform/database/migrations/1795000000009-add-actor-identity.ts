import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The same name is somebody else when it is of another kind, or from another issuer. */
export class AddActorIdentity1795000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // Null in entries of versions that did not know them.
    await runner.query('alter table audit_entry add column actor_kind text, add column actor_issuer text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table audit_entry drop column actor_kind, drop column actor_issuer');
  }
}
