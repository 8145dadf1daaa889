// @ts-check
// A Citus on this machine: a schema for each of two services, and what may fail there.
import { setTimeout as delay } from 'node:timers/promises';
import { killNode, reviveNode } from '../../scripts/citus-node.mjs';
import { query } from '../support/postgres.mjs';
import { inSchema } from '#dist/platform/database/connections/schema';
import { runMigrations } from '#dist/platform/database/run-migrations';

const SCHEMAS = ['soak_eu', 'soak_us'];
const MIN_OUTAGE_S = 8;
const MAX_OUTAGE_S = 20;

/** An empty, migrated schema for each of the services, each on a node of its own. Those of an earlier soak go. */
export async function openCluster(url) {
  for (const schema of SCHEMAS) await dropSchema(url, schema);
  const databases = [];
  // One after the other: Citus gives them to its nodes in turn.
  for (const schema of SCHEMAS) databases.push(await openSchema(url, schema));
  const [node, other] = await Promise.all(SCHEMAS.map((schema) => nodeOf(url, schema)));
  if (node === other) throw new Error('Citus has given both schemas to one node: start the soak again.');
  return { databases, faultsOf: (worlds, random) => clusterFaults(url, worlds, random) };
}

async function openSchema(url, schema) {
  const schemaUrl = inSchema(url, schema);
  await runMigrations(schemaUrl);
  return {
    name: schema,
    url,
    env: { CDP_DATABASE_SCHEMA: schema },
    query: (text, values) => query(schemaUrl, text, values),
    close: () => dropSchema(url, schema),
  };
}

async function dropSchema(url, schema) {
  for (const name of [schema, `bullmq_${schema}`]) await query(url, `drop schema if exists ${name} cascade`);
}

/** Nodes that are killed, schemas that are moved while they are used, and a process of each service. */
function clusterFaults(url, worlds, { between, pick }) {
  const outage = () => delay(between(MIN_OUTAGE_S, MAX_OUTAGE_S) * 1000);
  const killFor = async (nodeUrl) => {
    const killed = await killNode(nodeUrl);
    await outage();
    await reviveNode(killed);
  };
  const moveAndBack = async (schema) => {
    const [home, away] = await Promise.all(
      [schema, ...SCHEMAS.filter((other) => other !== schema)].map((name) => nodeOf(url, name)),
    );
    await moveSchema(url, schema, away);
    await outage();
    await moveSchema(url, schema, home);
  };
  return [
    ...SCHEMAS.map((schema) => [`node of ${schema} killed`, async () => killFor(await nodeOf(url, schema))]),
    ['coordinator killed', () => killFor(url)],
    ...SCHEMAS.map((schema) => [`${schema} moved, and back`, () => moveAndBack(schema)]),
    ...worlds.map((world) => [
      `process of ${world.name} killed`,
      () => world.killService(pick(world.mortals)),
    ]),
  ];
}

/** The address of the node that has a schema. */
async function nodeOf(url, schema) {
  const [{ host, port }] = await query(
    url,
    `select distinct nodename as host, nodeport as port from citus_shards where starts_with(table_name::text, $1)`,
    [`${schema}.`],
  );
  return Object.assign(new URL(url), { hostname: host, port }).href;
}

async function moveSchema(url, schema, toNode) {
  const { hostname, port } = new URL(toNode);
  await query(url, 'select citus_schema_move($1::regnamespace, $2::text, $3::integer)', [
    schema,
    hostname,
    port,
  ]);
}
