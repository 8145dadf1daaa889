import type { Subject } from '../../events/customer-event';
import { textArray } from '../../platform/database/statements/binary-arrays';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { unplannedList } from '../../platform/database/statements/unplanned';
import { demandRoom, fittingRowsSql, type SizedRow } from './demand-room';
import { ALL, type StoredProfile, storedProfileSql } from './stored-profile';

/** A row whose lock this transaction holds. */
interface LockedProfile {
  /** What is known of the subject without the events at hand. */
  readonly before: StoredProfile;
  /** What is in the table: of a row that this transaction has made it is what it was made with. */
  readonly stored: StoredProfile;
  /** Whether this transaction has made the row: no other has seen it. */
  readonly isMade: boolean;
}

/** A row that is to be locked. */
export interface ExpectedRow {
  /** What is known of the subject if it has no row. */
  readonly before: StoredProfile;
  /** What the row is made with in this case. */
  readonly made: StoredProfile;
  /** Whether it has none, as far as is known. */
  readonly isNew: boolean;
}

export type LockedProfiles = ReadonlyMap<Subject, LockedProfile>;

/**
 * `where false` locks a row that is there and leaves it as it is, without a new version of it. Unlike `select … for
 * update` it also makes those wait for each other who both find no row.
 */
const lockProfilesSql = prepared('lock_profiles')`
    with made as (
      insert into profile as p (${ALL.names.join(', ')}) ${ALL.rowsSql}
      on conflict (subject) do update set updated_at = p.updated_at where false
      returning subject
    )
    select coalesce(json_agg(subject), '[]') as subjects from made`;

/** A statement of its own, because only that sees what was committed before the locks were there. */
const readProfilesSql = prepared('read_locked_profiles')`
    ${fittingRowsSql(
      `select p.* from unnest(${unplannedList('$1', 'text')}) as s(subject)
       cross join lateral (select ${storedProfileSql} from profile as p where p.subject = s.subject limit 1) as p`,
      `octet_length(r.traits) + octet_length(r.trait_clocks) + octet_length(r.event_totals)
        + coalesce(octet_length(r.groups::text), 0)`,
      '$2',
    )}`;

/**
 * Locks the rows of these subjects in the order of subjects, which is the one order in which the service ever locks
 * profiles: workers wait for each other, never in a circle. A row that is missing is made as it is given here, and one
 * that is there is read.
 *
 * @throws EventsTooLargeError where those that are there have more than `maxBytes`
 */
export async function lockProfiles(
  rows: readonly ExpectedRow[],
  maxBytes: number,
  tx: Tx,
): Promise<LockedProfiles> {
  if (rows.length === 0) return new Map();
  const expected = rows.filter(({ isNew }) => !isNew).map(({ before }) => before.subject);
  const [inserted, read] = await Promise.all([
    tx.query<{ subjects: Subject[] }>(lockProfilesSql, ALL.paramsOf(rows.map(({ made }) => made))),
    readProfiles(expected, maxBytes, tx),
  ]);
  const locked = new Map<Subject, LockedProfile>();
  for (const stored of read) locked.set(stored.subject, { before: stored, stored, isMade: false });
  const made = new Set(inserted[0]?.subjects);
  const others: Subject[] = [];
  for (const { before, made: stored } of rows) {
    if (made.has(before.subject)) locked.set(before.subject, { before, stored, isMade: true });
    else if (!locked.has(before.subject)) others.push(before.subject);
  }
  for (const stored of await readProfiles(others, maxBytes, tx)) {
    locked.set(stored.subject, { before: stored, stored, isMade: false });
  }
  return locked;
}

async function readProfiles(
  subjects: readonly Subject[],
  maxBytes: number,
  tx: Tx,
): Promise<StoredProfile[]> {
  if (subjects.length === 0) return [];
  const rows = await tx.query<StoredProfile & SizedRow>(readProfilesSql, [textArray(subjects), maxBytes]);
  demandRoom(rows, maxBytes);
  return rows;
}
