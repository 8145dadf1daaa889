import type { Subject } from '../../events/customer-event';
import type { OpenTransaction, PreparedStatement } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { LockedProfiles } from './lock-profiles';
import { ALL, type ColumnSet, COUNTS, type StoredProfile, TRAITS } from './stored-profile';

const writeProfilesSql = writeStatement('write_profiles', ALL);
const writeCountsSql = writeStatement('write_profile_counts', COUNTS);

const dropProfilesSql = prepared('drop_profiles')`delete from profile where subject = any($1::text[])`;

/** Writes what has changed of locked rows. One that was made only to be locked, and is still empty, is taken back. */
export function writeProfiles(
  rows: Iterable<{ readonly after: StoredProfile }>,
  locked: LockedProfiles,
  tx: OpenTransaction,
): void {
  const withTraits: StoredProfile[] = [];
  const withoutTraits: StoredProfile[] = [];
  const unused: Subject[] = [];
  for (const { after } of rows) {
    const row = locked.get(after.subject);
    if (isEmpty(after) && row?.isMade === true) unused.push(after.subject);
    else if (differ(TRAITS, after, row?.stored)) withTraits.push(after);
    else if (differ(COUNTS, after, row?.stored)) withoutTraits.push(after);
  }
  if (withTraits.length > 0) tx.send(writeProfilesSql, ALL.paramsOf(withTraits));
  if (withoutTraits.length > 0) tx.send(writeCountsSql, COUNTS.paramsOf(withoutTraits));
  if (unused.length > 0) tx.send(dropProfilesSql, [unused]);
}

function differ({ areEqual }: ColumnSet, after: StoredProfile, stored: StoredProfile | undefined): boolean {
  return stored === undefined || (after !== stored && !areEqual(after, stored));
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
