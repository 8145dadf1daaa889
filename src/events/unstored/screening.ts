import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { Subject } from '../customer-event';
import type { AboutPeople } from '../subject';

/** An event that nobody is shown yet: whom it names was not looked up. */
interface UnscreenedEvent {
  /** Its time is that of reception. */
  readonly id: string;
  readonly subjects: Subject[];
}

/** How a table is screened whose events nobody is shown before it is known that they may be kept. */
export interface Screening {
  /** For a look every second, by an index of its own. */
  readonly anyUnscreenedSql: string;
  /** Locks some that were not screened until the transaction ends; not those that others have. */
  readonly takeUnscreened: (limit: number, tx: Tx) => Promise<AboutPeople[]>;
  /** From now on they are shown. */
  readonly passScreened: (ids: readonly string[], tx: Tx) => Promise<void>;
  /** Deletes those that must not be kept. */
  readonly dropScreened: (ids: readonly string[], tx: Tx) => Promise<void>;
}

/**
 * For the module that owns the table. It has `id`, `subjects` and `screened`.
 * @param ownersAmong those of the people that an event names whose it is
 */
export function screeningOf(table: string, ownersAmong: (named: readonly Subject[]) => Subject[]): Screening {
  const takeSql = prepared(`take_unscreened_${table}`)`
    select id, subjects from ${table} where not screened order by id limit $1 for update skip locked`;
  const passSql = prepared(`pass_screened_${table}`)`
    update ${table} set screened = true where id = any($1::uuid[])`;
  const dropSql = prepared(`drop_screened_${table}`)`
    delete from ${table} where id = any($1::uuid[])`;
  return {
    anyUnscreenedSql: `select exists (select from ${table} where not screened)`,
    takeUnscreened: async (limit, tx) => {
      const events = await tx.query<UnscreenedEvent>(takeSql, [limit]);
      return events.map((event) => ({ ...event, owners: ownersAmong(event.subjects) }));
    },
    passScreened: async (ids, tx) => void (await tx.query(passSql, [ids])),
    dropScreened: async (ids, tx) => void (await tx.query(dropSql, [ids])),
  };
}
