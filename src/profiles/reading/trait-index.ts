import { createHash } from 'node:crypto';
import { escapeIdentifier, escapeLiteral } from 'pg';
import type { Connection } from '../../platform/database/database';

/** What all indexes of traits are named like. */
const NAMES = 'profile_trait_%_ix';

/** Longer values do not fit into an index: those that begin the same are told apart afterwards. */
const INDEXED_CHARACTERS = 200;

/** An index by which profiles with a value of one trait are found. */
export interface TraitIndex {
  readonly trait: string;
  readonly name: string;
  /** What is indexed, beside the subject: the beginning of the trait's text. */
  readonly sql: string;
}

export function traitIndexOf(trait: string): TraitIndex {
  const digest = createHash('md5').update(trait).digest('hex').slice(0, 16);
  return {
    trait,
    name: NAMES.replace('%', digest),
    sql: beginningSql(`traits ->> ${escapeLiteral(trait)}`),
  };
}

/** The part of a text that is in an index. */
export function beginningSql(textSql: string): string {
  return `left(${textSql}, ${INDEXED_CHARACTERS})`;
}

/** The statement that makes it beside all that reads and writes profiles. */
export function makeIndexSql({ name, sql }: TraitIndex): string {
  return `create index concurrently ${escapeIdentifier(name)} on profile ((${sql}), subject) where ${sql} is not null`;
}

/** The statement that drops it, likewise. */
export function dropIndexSql(name: string): string {
  return `drop index concurrently if exists ${escapeIdentifier(name)}`;
}

const readIndexesSql = `
  select c.relname as name, i.indisvalid as "isComplete"
  from pg_index as i join pg_class as c on c.oid = i.indexrelid
  where i.indrelid = 'profile'::regclass and c.relname like $1`;

/** The names of those that are there, and whether they are complete. */
export async function readTraitIndexes(
  client: Connection['client'],
): Promise<{ name: string; isComplete: boolean }[]> {
  return (await client.query(readIndexesSql, [NAMES])).rows;
}
