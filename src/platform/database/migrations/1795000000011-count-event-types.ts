import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How many of the events of a name and day were of which type; see profiles/state/day-types.ts. */
export class CountEventTypes1795000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // In the order of EVENT_TYPES. Null in nearly all rows, also those of versions that did not know it: all events
    // are of the type that the name says, 'page' those of a page without a name, and any other name a track.
    await runner.query('alter table profile_day add column types integer[]');
    await runner.query(`
      create function profile_day_types(name text, count integer, types integer[]) returns integer[]
      language sql immutable parallel safe as $$
        select coalesce(types, array(
          select case when type = case when name = any('{identify,page,screen,group,alias}') then name else 'track' end
            then count else 0 end
          from unnest('{track,identify,page,screen,group,alias}'::text[]) with ordinality as t (type, place)
          order by place))
      $$`);
    await runner.query(`
      create function profile_add_day_types(types integer[], more integer[]) returns integer[]
      language sql immutable strict parallel safe as $$
        select array(select a + b from unnest(types, more) with ordinality as t (a, b, place) order by place)
      $$`);
    await runner.query(`
      create aggregate profile_sum_day_types(integer[]) (
        sfunc = profile_add_day_types, stype = integer[], parallel = safe
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop aggregate profile_sum_day_types(integer[])');
    await runner.query('drop function profile_add_day_types, profile_day_types');
    await runner.query('alter table profile_day drop column types');
  }
}
