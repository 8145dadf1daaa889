import type { Tx } from '../platform/database/database';
import { MAX_VERSIONS, type VersionEntry } from '../platform/database/resources/versions';

/** A transformation as it was, or is. */
export interface TransformationVersion extends VersionEntry {
  readonly name: string;
  readonly description: string;
  readonly code: string;
}

const writeVersionSql = `
  with dropped as (
    delete from transformation_version where transformation_id = $1 and version <= $2 - ${MAX_VERSIONS}
  )
  insert into transformation_version (transformation_id, version, name, description, code)
  values ($1, $2, $3, $4, $5)`;
const listVersionsSql = `
  select version, created_at as "createdAt" from transformation_version where transformation_id = $1
  order by version desc`;
const readVersionSql = `
  select version, created_at as "createdAt", name, description, code from transformation_version
  where transformation_id = $1 and version = $2`;

/** Writes down a version, once and for ever. */
export async function writeVersion(
  id: string,
  { version, name, description, code }: Omit<TransformationVersion, 'createdAt'>,
  tx: Tx,
): Promise<void> {
  await tx.query(writeVersionSql, [id, version, name, description, code]);
}

/** Newest first. */
export function listVersions(id: string, tx: Tx): Promise<VersionEntry[]> {
  return tx.query<VersionEntry>(listVersionsSql, [id]);
}

export async function readVersion(
  id: string,
  version: number,
  tx: Tx,
): Promise<TransformationVersion | undefined> {
  const [row] = await tx.query<TransformationVersion>(readVersionSql, [id, version]);
  return row;
}
