import type { OpenTransaction, PreparedStatement } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { LockedProfiles } from './lock-profiles';
import { ALL, type ColumnSet, COUNTS, type StoredProfile, TRAITS } from './stored-profile';

const writeProfilesSql = writeStatement('write_profiles', ALL);
const writeCountsSql = writeStatement('write_profile_counts', COUNTS);

const dropProfilesSql = prepared('drop_profiles')`delete from profile where subject = any($1::text[])`;

/** Writes what has changed of locked rows. One that was made only to be locked, and is still empty, is taken back. */
export function writeProfiles(
  rows: readonly StoredProfile[],
  locked: LockedProfiles,
  tx: OpenTransaction,
): void {
  const isUnused = (row: StoredProfile): boolean => isEmpty(row) && locked.get(row.subject)?.isMade === true;
  const unused = rows.filter(isUnused);
  const used = rows.filter((row) => !isUnused(row));
  const differ = ({ areEqual }: ColumnSet, row: StoredProfile): boolean => {
    const stored = locked.get(row.subject)?.stored;
    return stored === undefined || (row !== stored && !areEqual(row, stored));
  };
  const withTraits = used.filter((row) => differ(TRAITS, row));
  const withoutTraits = used.filter((row) => !differ(TRAITS, row) && differ(COUNTS, row));
  if (withTraits.length > 0) tx.send(writeProfilesSql, ALL.paramsOf(withTraits));
  if (withoutTraits.length > 0) tx.send(writeCountsSql, COUNTS.paramsOf(withoutTraits));
  if (unused.length > 0) tx.send(dropProfilesSql, [unused.map(({ subject }) => subject)]);
}

function isEmpty({ merged_into, event_count }: StoredProfile): boolean {
  return merged_into === null && event_count === 0;
}

/** The rows are there. As an upsert it finds each by its key, whatever PostgreSQL thinks of the size of the table. */
function writeStatement(name: string, { names, rowsSql }: ColumnSet): PreparedStatement {
  const changes = names
    .filter((column) => column !== 'subject')
    .map((column) => `${column} = excluded.${column}`);
  return {
    name,
    text: `
      insert into profile (${names.join(', ')}) ${rowsSql}
      on conflict (subject) do update set ${changes.join(', ')}, updated_at = excluded.updated_at`,
  };
}
