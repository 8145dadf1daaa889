import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sources that take webhooks of others, and the requests that are not events yet. */
export class TakeWebhooks1795000000065 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table source
        add column kind text not null default 'sdk' constraint source_kind_ck check (kind in ('sdk', 'webhook')),
        -- What becomes of requests while nothing else says it.
        add column untransformed text not null default 'keep'
          constraint source_untransformed_ck check (untransformed in ('keep', 'track')),
        -- How requests are signed, and with what: a list of secrets, sealed.
        add column signature jsonb,
        add column signature_secrets_sealed text`);
    await runner.query(`
      create table hook_request (
        -- Its time is that of reception.
        id uuid constraint hook_request_pk primary key,
        source_id uuid not null,
        -- What the sender calls it: the same when it sends it again.
        sent_id text,
        -- JSON of headers, query and body. As text: nobody asks for a part of it.
        request text not null,
        bytes integer not null,
        -- Whether it waits for its turn; else it has failed, and waits for people.
        waiting boolean not null default true,
        -- Turns since it was last let in; a turn that does not end by then is given to another worker.
        turns integer not null default 0,
        due_at timestamptz not null default now(),
        -- Why it has failed, and whom its events name as far as there were any.
        code text,
        problems json,
        subjects text[] not null default '{}'
      )`);
    await runner.query('create index hook_request_due_ix on hook_request (due_at) where waiting');
    await runner.query('create index hook_request_source_ix on hook_request (source_id, id) include (bytes)');
    await runner.query(
      "create index hook_request_subjects_ix on hook_request using gin (subjects) where subjects <> '{}'",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table hook_request');
    await runner.query(`
      alter table source drop column kind, drop column untransformed, drop column signature, drop column signature_secrets_sealed`);
  }
}
