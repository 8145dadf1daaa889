import type { Tx } from '../../platform/database/database';

/** Which computed traits a destination needs kept. */
interface TraitUse {
  /** Those that its filter names, and those whose changes alone it is told of. */
  readonly names: readonly string[];
  /** Whether it is told of the changes of all of them. */
  readonly ofAll: boolean;
}

export const NO_USE: TraitUse = { names: [], ofAll: false };

/** Whether a destination needs the trait `c` kept. */
export const isNeededSql = `(exists (select from trait_use u where u.trait_id = c.id)
  or exists (select from trait_use u where u.trait_id is null))`;

/** Nobody changes them meanwhile; see {@link destinationsThatName}. */
const shareLockTraitsSql = 'select id, name from computed_trait where name = any($1::text[]) for share';
const forgetUsesSql = 'delete from trait_use where destination_id = $1';
const addUsesSql = 'insert into trait_use (destination_id, trait_id) select $1, unnest($2::uuid[])';
const lockTraitSql = 'select id from computed_trait where id = $1 for update';
const readUsesSql = `
  select distinct destination_id as id from trait_use where trait_id = $1 order by destination_id limit 20`;

/**
 * Notes what a destination needs, in the transaction that changes it; the values are computed in the background.
 * @returns the names that no computed trait has
 */
export async function noteTraitUse(
  destinationId: string,
  { names, ofAll }: TraitUse,
  tx: Tx,
): Promise<string[]> {
  await tx.query(forgetUsesSql, [destinationId]);
  const traits =
    names.length === 0 ? [] : await tx.query<{ id: string; name: string }>(shareLockTraitsSql, [names]);
  const uses = [...traits.map(({ id }) => id), ...(ofAll ? [null] : [])];
  if (uses.length > 0) await tx.query(addUsesSql, [destinationId, uses]);
  const known = new Set(traits.map(({ name }) => name));
  return names.filter((name) => !known.has(name));
}

/**
 * The ids of destinations that name a computed trait in a filter, or for their notices: up to 20. No other begins to
 * before the transaction ends.
 */
export async function destinationsThatName(traitId: string, tx: Tx): Promise<string[]> {
  await tx.query(lockTraitSql, [traitId]);
  const rows = await tx.query<{ id: string }>(readUsesSql, [traitId]);
  return rows.map(({ id }) => id);
}
