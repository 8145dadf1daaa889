import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Last writer wins, per key. A key that is in the clocks and not in the traits is unset. Beyond the limits (bytes of
 * the traits as text, number of keys) keys that are new, or that would make the profile larger still, are refused.
 */
const mergeProfileTraitsSql = `
  create function profile_merge_traits(
    old_traits jsonb, old_clocks jsonb, new_traits jsonb, new_clocks jsonb, max_bytes integer, max_keys integer,
    out traits jsonb, out trait_clocks jsonb, out changed_traits text[]
  ) language plpgsql immutable as $$
  declare
    writer record;
    candidate jsonb;
    bytes integer;
  begin
    select coalesce(jsonb_object_agg(key, value), '{}') into new_clocks
    from jsonb_each(new_clocks)
    where coalesce(value #>> '{}' collate "C" > (old_clocks ->> key), true);
    if new_clocks = '{}' then
      traits := old_traits;
      trait_clocks := old_clocks;
      changed_traits := '{}';
      return;
    end if;
    select coalesce(jsonb_object_agg(key, value), '{}') into new_traits
    from jsonb_each(new_traits) where new_clocks ? key;
    traits := old_traits - array(select key from jsonb_object_keys(new_clocks) as key where not new_traits ? key)
      || new_traits;
    trait_clocks := old_clocks || new_clocks;
    changed_traits := array(
      select key from jsonb_object_keys(new_clocks) as key
      where old_traits -> key is distinct from new_traits -> key
    );
    bytes := octet_length(traits::text);
    if bytes <= max_bytes and (select count(*) <= max_keys from jsonb_object_keys(trait_clocks)) then
      return;
    end if;
    -- Key by key, in one order: what fits, and what does not make the profile larger.
    traits := old_traits;
    trait_clocks := old_clocks;
    bytes := octet_length(old_traits::text);
    for writer in select key, value from jsonb_each(new_clocks) order by key collate "C" loop
      continue when not old_clocks ? writer.key
        and (select count(*) >= max_keys from jsonb_object_keys(trait_clocks));
      candidate := traits - writer.key;
      if new_traits ? writer.key then
        candidate := candidate || jsonb_build_object(writer.key, new_traits -> writer.key);
      end if;
      continue when octet_length(candidate::text) > greatest(max_bytes, bytes);
      traits := candidate;
      bytes := octet_length(traits::text);
      trait_clocks := trait_clocks || jsonb_build_object(writer.key, writer.value);
    end loop;
    changed_traits := array(
      select key from unnest(changed_traits) as key where old_traits -> key is distinct from traits -> key
    );
  end $$`;

/** Adds counts and widens times, per event name; names beyond the limit are left out. */
const mergeEventTotalsSql = `
  create function profile_merge_totals(old_totals jsonb, new_totals jsonb, max_names integer)
  returns jsonb language plpgsql immutable as $$
  declare
    added record;
    present jsonb;
    names integer;
  begin
    for added in select key, value from jsonb_each(new_totals) loop
      present := old_totals -> added.key;
      if present is not null then
        present := jsonb_build_object(
          'count', (present ->> 'count')::bigint + (added.value ->> 'count')::bigint,
          'first', least((present ->> 'first')::bigint, (added.value ->> 'first')::bigint),
          'last', greatest((present ->> 'last')::bigint, (added.value ->> 'last')::bigint));
      else
        names := coalesce(names, (select count(*) from jsonb_object_keys(old_totals)));
        continue when names >= max_names;
        names := names + 1;
        present := added.value;
      end if;
      old_totals := old_totals || jsonb_build_object(added.key, present);
    end loop;
    return old_totals;
  end $$`;

/** Profiles, one row per subject, and their counts per day. */
export class CreateProfiles1795000000003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // A subject that was linked to another one stays as a row that only points there (merged_into is the root,
    // never a pointer to a pointer), so the profile table is also the identity graph.
    await runner.query(`
      create table profile (
        subject text collate "C" constraint profile_pk primary key,
        merged_into text collate "C",
        traits jsonb not null default '{}',
        -- The clock of each trait key, unset ones included: what decides the last writer.
        trait_clocks jsonb not null default '{}',
        groups text[] not null default '{}',
        event_count bigint not null default 0,
        -- { "<event name>": { "count": n, "first": ms, "last": ms } }
        event_totals jsonb not null default '{}',
        first_seen_at timestamptz,
        last_seen_at timestamptz,
        -- The latest of the trait clocks: an event after it overwrites without looking at single keys.
        last_trait_clock text collate "C" not null default '',
        -- What the last update changed, for whoever made it: an upsert cannot return the row as it was before.
        -- (The row proposed for insertion brings what the update cannot get from elsewhere, see upsert-profiles.ts.)
        changed_traits text[],
        groups_changed boolean not null default false,
        created_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      ) with (fillfactor = 80)`);
    await runner.query(
      'create index profile_merged_into_ix on profile (merged_into) where merged_into is not null',
    );
    await runner.query(`
      create table profile_day (
        subject text collate "C" not null,
        name text collate "C" not null,
        day date not null,
        count integer not null,
        constraint profile_day_pk primary key (subject, name, day)
      ) with (fillfactor = 80)`);
    await runner.query(`
      create table customer_group (
        group_id text collate "C" constraint customer_group_pk primary key,
        traits jsonb not null default '{}',
        trait_clocks jsonb not null default '{}',
        updated_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table pseudonym_key (
        only_row boolean constraint pseudonym_key_pk primary key default true,
        key_sealed text not null,
        constraint pseudonym_key_only_row_ck check (only_row)
      )`);
    // Who is refused: a keyed hash of the subject, so that the list names nobody.
    await runner.query(`
      create table suppression (
        subject_hash bytea constraint suppression_pk primary key,
        created_at timestamptz not null default now()
      )`);
    await runner.query(mergeProfileTraitsSql);
    await runner.query(mergeEventTotalsSql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function profile_merge_totals, profile_merge_traits');
    await runner.query('drop table suppression, pseudonym_key, customer_group, profile_day, profile');
  }
}
