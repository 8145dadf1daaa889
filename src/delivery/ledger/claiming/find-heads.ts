import { lowestAcceptedSql } from '../../../events/inbox/inbox-lag';
import type { Tx } from '../../../platform/database/database';
import { firstOfPersonSql } from './first-of-person';
import { prunedStatement } from '../pruned-statement';

/** People that one look goes past. */
const PAGE = 1_000;
/** No person comes before. */
export const NOBODY_YET = '-9223372036854775808';

// From person to person through the index: what takes time is how many there are, not how much waits for each.
const findHeadsSql = prunedStatement('find_heads', (fromId) => {
  const next = (after: string): string => `
    select person from delivery
    where destination_id = $1 and state = 'pending' and passed_at is null and person > ${after} and id >= ${fromId}
    order by person limit 1`;
  return `
  with recursive people (person, number) as (
    select (${next('$2::bigint')}), 1
    union all
    select (${next('p.person')}), p.number + 1 from people p where p.person is not null and p.number < ${PAGE}
  )
  select p.person::text as person,
    f.due_at = 'infinity' and f.place <= coalesce(${lowestAcceptedSql('$3')}, f.place) as "isFree"
  from people p
  cross join lateral (${firstOfPersonSql({ destinationId: '$1', person: 'p.person', fromId })}) f
  order by p.person`;
});

/** Where a walk from person to person begins, and what it heeds. */
interface HeadSearch {
  readonly destinationId: string;
  /** The last person of the look before. */
  readonly after: string;
  /** Events that wait for longer to be processed are not waited for. */
  readonly maxWaitSeconds: number;
  /** No delivery with a lower id is pending. */
  readonly pendingFrom: string;
}

/** Some people of a destination with an order. */
export interface FoundHeads {
  /** Those whose first delivery could be claimed. */
  readonly people: readonly string[];
  /** The last that was looked at; undefined at the end. */
  readonly reached: string | undefined;
}

/** Looks at the next thousand people for whom something waits. */
export async function findHeads(
  { destinationId, after, maxWaitSeconds, pendingFrom }: HeadSearch,
  tx: Tx,
): Promise<FoundHeads> {
  const rows = await tx.query<{ person: string; isFree: boolean }>(findHeadsSql(pendingFrom), [
    destinationId,
    after,
    maxWaitSeconds,
  ]);
  const people = rows.filter(({ isFree }) => isFree).map(({ person }) => person);
  return { people, reached: rows.length < PAGE ? undefined : rows.at(-1)?.person };
}
