import { Client } from 'pg';
import { eventually } from './eventually';

/** Whether the PostgreSQL at an address is the coordinator of a Citus. */
export async function isCitus(url: string): Promise<boolean> {
  return (await ask(url, "select from pg_extension where extname = 'citus'")).length === 1;
}

/** A Citus in a database of its own on each node. */
export async function createCitusDatabase(coordinatorUrl: string, name: string): Promise<void> {
  const servers = await nodesOf(coordinatorUrl);
  await Promise.all(servers.map((server) => ask(server, `create database ${name}`)));
  const [coordinator = '', ...workers] = servers.map((server) => inDatabase(server, name));
  await Promise.all([coordinator, ...workers].map((node) => ask(node, 'create extension citus')));
  await ask(coordinator, `select citus_set_coordinator_host(${placeOf(coordinator)})`);
  for (const worker of workers) await ask(coordinator, `select citus_add_node(${placeOf(worker)})`);
}

export async function dropCitusDatabase(coordinatorUrl: string, name: string): Promise<void> {
  // Slots are what a move leaves behind that was cut off.
  for (const server of await nodesOf(coordinatorUrl)) await ask(server, `drop database ${name} with (force)`);
}

/** The address of the node that has a schema. */
export async function nodeOf(databaseUrl: string, schema: string): Promise<string> {
  const [node] = await ask<{ host: string; port: number }>(
    databaseUrl,
    `select distinct nodename as host, nodeport as port from citus_shards
     where table_name::text like '${schema}.%'`,
  );
  return at(databaseUrl, node!);
}

/** Citus has not yet dropped what is left of an earlier move. Then it has moved nothing. */
const LEFTOVER = /leftover from the previous move could not be cleaned up/;

/** Moves a schema to another node while it is used. */
export async function moveSchema(databaseUrl: string, schema: string, toNode: string): Promise<void> {
  const move = `select citus_schema_move('${schema}', ${placeOf(toNode)})`;
  const refusal = await eventually(async () => {
    try {
      await ask(databaseUrl, move);
      return undefined;
    } catch (error) {
      if (LEFTOVER.test(String(error))) throw error;
      return error;
    }
  }, 60_000);
  if (refusal !== undefined) throw refusal;
}

/** What each of the nodes that have schemas says a setting is, to whoever comes from the coordinator. */
export async function settingOfNodes(databaseUrl: string, name: string): Promise<string[]> {
  const rows = await ask<{ result: string }>(
    databaseUrl,
    `select result from run_command_on_workers('show ${name}')`,
  );
  return rows.map(({ result }) => result);
}

/** Inserts the rows of a table into it again: the coordinator reads them, and copies them to the node. */
export async function insertAgain(databaseUrl: string, table: string): Promise<void> {
  await ask(databaseUrl, `with found as (select * from ${table}) insert into ${table} select * from found`);
}

/** The addresses of all nodes, the coordinator's first. */
async function nodesOf(coordinatorUrl: string): Promise<string[]> {
  const nodes = await ask<{ host: string; port: number }>(
    coordinatorUrl,
    `select nodename as host, nodeport as port from pg_dist_node where noderole = 'primary' order by groupid`,
  );
  return nodes.map((node) => at(coordinatorUrl, node));
}

async function ask<Row extends object>(url: string, sql: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

function at(url: string, { host, port }: { readonly host: string; readonly port: number }): string {
  const node = new URL(url);
  node.hostname = host;
  node.port = String(port);
  return node.href;
}

function inDatabase(url: string, name: string): string {
  const node = new URL(url);
  node.pathname = `/${name}`;
  return node.href;
}

/** As Citus names a node. */
function placeOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `'${hostname}', ${port}`;
}
