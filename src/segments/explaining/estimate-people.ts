import type { JsonValue, Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import type { Deadline } from './deadline';
import { type Estimate, estimateTotal } from './estimate-total';

/**
 * Blocks of the profile table that are looked at together: of rules on stored events they take some hundredths of a
 * second.
 */
const CLUSTER_BLOCKS = 16;
/** How long to look: people wait for the answer while they write rules. */
const LOOK_MS = 1_000;
/** However long that takes: with fewer the answer says nothing. */
const MIN_PLACES = 10;
/** An error that is a smaller part of the number is not worth looking on for; after so many clusters each time. */
const CLOSE = 0.01;
const PLACES_BETWEEN = 50;
/**
 * A statement is about more and more clusters as long as it takes less: much of a look at one is its way there and back.
 */
const TOGETHER_MS = 20;

/** Somebody who was found. */
export interface FoundPerson {
  readonly subject: Subject;
  readonly value: JsonValue;
}

/** What of SQL follows `select …`, with its parameters, and what `value` of them is selected. */
export interface PeopleSql {
  /** From these profiles, a table or a query in brackets, which are called `p`, with a condition on them. */
  readonly fromSql: (profiles: string) => string;
  readonly value: string;
  readonly params: readonly unknown[];
}

/** How an estimate is made. */
interface EstimateSize {
  /** Of the profile table. */
  readonly blocks: number;
  /** How many of the people that were found to name, at most. */
  readonly sample: number;
  readonly deadline: Deadline;
}

/** How many people there are, from clusters of blocks of the profile table that chance chooses. */
export async function estimatePeople(
  people: PeopleSql,
  { blocks, sample, deadline }: EstimateSize,
  tx: Tx,
): Promise<Estimate & { readonly found: readonly FoundPerson[] }> {
  const clusters = Math.ceil(blocks / CLUSTER_BLOCKS);
  const order = inRandomOrder(clusters);
  const counts: number[] = [];
  const found: FoundPerson[] = [];
  const startedAt = performance.now();
  let together = 1;
  let judgedAt = PLACES_BETWEEN - 1;
  for (let next = takeFrom(order, together); next.length > 0;) {
    const beganAt = performance.now();
    const rows = await tx.query<{ count: number; found: FoundPerson[][] | null }>(
      clustersSql(people, found.length < sample ? sample : 0),
      [...people.params, next],
    );
    const nowMs = performance.now();
    counts.push(...rows.map((row) => row.count));
    found.push(...rows.flatMap((row) => row.found?.flat() ?? []));
    if (nowMs - startedAt > LOOK_MS) {
      if (counts.length >= MIN_PLACES) break;
      await deadline.bound(tx);
    }
    if (counts.length === judgedAt) {
      if (isClose(estimateTotal(counts, clusters))) break;
      judgedAt += PLACES_BETWEEN;
    }
    together = nowMs - beganAt < TOGETHER_MS ? together * 2 : Math.ceil(together / 2);
    next = takeFrom(order, Math.min(together, judgedAt - counts.length));
  }
  const named = found.slice(0, sample).sort((a, b) => (a.subject < b.subject ? -1 : 1));
  return { ...estimateTotal(counts, clusters), found: named };
}

/**
 * What is in each of the clusters that the last parameter names: planned once, however many they are.
 * @param sample of nobody more the value is worked out; its parameters still have to be there
 */
function clustersSql({ fromSql, value, params }: PeopleSql, sample: number): string {
  // Where a list names the blocks, PostgreSQL takes a range of them for one part in 200 of the table, and would go through
  // all members of a segment for each. So it is asked about one block at a time, with as many rows for a limit as there
  // can be: each has a header and a pointer to it of 28 bytes. And of a limit that is known only when it runs it takes
  // one row in ten for what comes: that is about as many as there are.
  const mostRows = `current_setting('block_size')::integer / 28`;
  const ofBlock = `(
    select * from (
      select * from profile
      where ctid >= concat('(', at.block, ',0)')::tid and ctid < concat('(', at.block + 1, ',0)')::tid
      limit ${mostRows}) as of_block
    limit (select ${mostRows}))`;
  // A count is one row, so that it is not joined with the list but looked for once for each of it.
  return `
    select sum(of_block.count)::integer as count,
      jsonb_agg(of_block.found) filter (where of_block.found is not null) as found
    from unnest($${params.length + 1}::bigint[]) as chosen(cluster)
    cross join lateral generate_series(cluster * ${CLUSTER_BLOCKS}, (cluster + 1) * ${CLUSTER_BLOCKS} - 1) as at(block)
    cross join lateral (
      select count(*)::integer as count, case when ${sample > 0} then to_jsonb((array_agg(
        jsonb_build_object('subject', p.subject, 'value', ${value})))[1:${sample}]) end as found
      ${fromSql(ofBlock)}
    ) as of_block
    group by chosen.cluster`;
}

/** The next of them, at most `count`. */
function takeFrom(numbers: Generator<number>, count: number): number[] {
  const taken: number[] = [];
  while (taken.length < count) {
    const { value, done } = numbers.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

function isClose({ count, low, high }: Estimate): boolean {
  return Math.max(count - low, high - count) < CLOSE * count;
}

/** Each number below `end` once. */
function* inRandomOrder(end: number): Generator<number> {
  // Only those that have changed places are remembered.
  const moved = new Map<number, number>();
  for (let index = 0; index < end; index += 1) {
    const other = index + Math.floor(Math.random() * (end - index));
    yield moved.get(other) ?? other;
    moved.set(other, moved.get(index) ?? index);
    moved.delete(index);
  }
}
