import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { type Estimate, estimateTotal } from './estimate-total';

/** Blocks of the profile table that are looked at together: of rules on stored events they take some hundredths of a second. */
const PLACE_BLOCKS = 16;
/** How long to look: people wait for the answer while they write rules. */
const LOOK_MS = 1_000;
/** However long that takes: with fewer the answer says nothing. */
const MIN_PLACES = 10;
/** An error that is a smaller part of the number is not worth looking on for; after so many places each time. */
const CLOSE = 0.01;
const PLACES_BETWEEN = 50;

/** Who has something: what of SQL follows `select …`, with its parameters. */
export interface PeopleSql {
  /** From `profile p`, with a condition on it. */
  readonly from: string;
  readonly params: readonly unknown[];
}

export interface EstimatedPeople extends Estimate {
  readonly subjects: readonly Subject[];
}

/**
 * How many people there are, from places of the profile table that chance chooses.
 * @param blocks of the table
 * @param sample how many of the people that were found to name, at most
 */
export async function estimatePeople(
  { from, params }: PeopleSql,
  blocks: number,
  sample: number,
  tx: Tx,
): Promise<EstimatedPeople> {
  const places = Math.ceil(blocks / PLACE_BLOCKS);
  const found: number[] = [];
  const subjects: Subject[] = [];
  const startedAt = performance.now();
  for (const place of inRandomOrder(places)) {
    if (found.length >= MIN_PLACES && performance.now() - startedAt > LOOK_MS) break;
    if (found.length % PLACES_BETWEEN === PLACES_BETWEEN - 1 && isClose(estimateTotal(found, places))) break;
    // Our own integers.
    const [first, end] = [place * PLACE_BLOCKS, (place + 1) * PLACE_BLOCKS];
    const [row] = await tx.query<{ count: number; subjects: Subject[] | null }>(
      `select count(*)::integer as count, (array_agg(p.subject))[1:${sample}] as subjects
       ${from} and p.ctid >= '(${first},0)'::tid and p.ctid < '(${end},0)'::tid`,
      params,
    );
    found.push(row?.count ?? 0);
    if (subjects.length < sample) subjects.push(...(row?.subjects ?? []));
  }
  return { ...estimateTotal(found, places), subjects: subjects.slice(0, sample).sort() };
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
