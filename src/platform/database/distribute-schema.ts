import type { Client } from 'pg';
import { DEFAULT_SCHEMA } from './connections/schema';

/**
 * On Citus: gives a schema to one of the nodes, with all its tables. Those of later migrations follow by themselves. On
 * any other PostgreSQL it does nothing, and with `public`, which Citus gives to no node.
 */
export async function distributeSchema(client: Client, schema: string): Promise<void> {
  if (schema === DEFAULT_SCHEMA || !(await isCitus(client))) return;
  await stopCompiling(client);
  await client.query('begin');
  try {
    for (const change of await findChanges(client, schema)) await client.query(change);
    if (!(await isDistributed(client, schema)))
      await client.query('select citus_schema_distribute($1::regnamespace)', [schema]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}

async function isCitus(client: Client): Promise<boolean> {
  const { rowCount } = await client.query("select from pg_extension where extname = 'citus'");
  return rowCount === 1;
}

/**
 * Nodes hear nothing of what a session of the service has set (`open-pool.ts`), and compiling a statement takes them
 * ten times as long as all of it: so it is said of the user. Citus tells the nodes, of users that it has told them of.
 */
async function stopCompiling(client: Client): Promise<void> {
  const { rows } = await client.query<{ change: string }>(
    `select format('alter role %I in database %I set jit = off', rolname, datname) as change
     from pg_roles, pg_database
     where rolname = current_user and datname = current_database() and not exists (
       select from pg_db_role_setting
       where setrole = pg_roles.oid and setdatabase = pg_database.oid and 'jit=off' = any(setconfig))`,
  );
  for (const { change } of rows) await client.query(change);
}

async function isDistributed(client: Client, schema: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_dist_schema where schemaid = $1::regnamespace', [
    schema,
  ]);
  return rowCount === 1;
}

/**
 * What has to be different there:
 * - Citus runs no triggers. They count what is changed by hand, which is not seen at once there.
 * - It moves a schema that is used by logical replication, which leaves out tables that are not logged, and refuses to
 *   update those that have no key.
 */
async function findChanges(client: Client, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ change: string }>(
    `with own as (select oid, relpersistence, relreplident from pg_class
       where relnamespace = $1::regnamespace and relkind = 'r' and not relispartition)
     select format('drop trigger %I on %s', tgname, own.oid::regclass) as change
     from own join pg_trigger on tgrelid = own.oid where not tgisinternal
     union all
     select format('alter table %s set logged', oid::regclass) from own where relpersistence = 'u'
     union all
     select format('alter table %s replica identity full', oid::regclass) from own
     where relreplident = 'd' and not exists (select from pg_index where indrelid = own.oid and indisprimary)`,
    [schema],
  );
  return rows.map(({ change }) => change);
}
