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
  /** From `profile p`, with a condition on it. */
  readonly from: string;
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
    const sql = next.map((cluster) => clusterSql(people, cluster, found.length < sample ? sample : 0));
    const rows = await tx.query<{ count: number; found: FoundPerson[] | null }>(
      sql.join(' union all '),
      people.params,
    );
    const nowMs = performance.now();
    counts.push(...rows.map((row) => row.count));
    found.push(...rows.flatMap((row) => row.found ?? []));
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

/** @param sample of nobody more the value is worked out; its parameters still have to be there */
function clusterSql({ from, value }: PeopleSql, cluster: number, sample: number): string {
  // Our own integers.
  const [first, end] = [cluster * CLUSTER_BLOCKS, (cluster + 1) * CLUSTER_BLOCKS];
  return `(
    select count(*)::integer as count, case when ${sample > 0} then to_jsonb((array_agg(
      jsonb_build_object('subject', p.subject, 'value', ${value})))[1:${sample}]) end as found
    ${from} and p.ctid >= '(${first},0)'::tid and p.ctid < '(${end},0)'::tid)`;
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
