import type { JsonValue, Subject } from '../../events/customer-event';
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

/**
 * How many people there are, from places of the profile table that chance chooses.
 * @param blocks of the table
 * @param sample how many of the people that were found to name, at most
 */
export async function estimatePeople(
  { from, value, params }: PeopleSql,
  blocks: number,
  sample: number,
  tx: Tx,
): Promise<Estimate & { readonly found: readonly FoundPerson[] }> {
  const places = Math.ceil(blocks / PLACE_BLOCKS);
  const counts: number[] = [];
  const found: FoundPerson[] = [];
  const startedAt = performance.now();
  for (const place of inRandomOrder(places)) {
    if (counts.length >= MIN_PLACES && performance.now() - startedAt > LOOK_MS) break;
    if (counts.length % PLACES_BETWEEN === PLACES_BETWEEN - 1 && isClose(estimateTotal(counts, places)))
      break;
    // Our own integers.
    const [first, end] = [place * PLACE_BLOCKS, (place + 1) * PLACE_BLOCKS];
    const [row] = await tx.query<{ count: number; found: FoundPerson[] | null }>(
      `select count(*)::integer as count, to_jsonb((array_agg(
         jsonb_build_object('subject', p.subject, 'value', ${value})))[1:${sample}]) as found
       ${from} and p.ctid >= '(${first},0)'::tid and p.ctid < '(${end},0)'::tid`,
      params,
    );
    counts.push(row?.count ?? 0);
    if (found.length < sample) found.push(...(row?.found ?? []));
  }
  const named = found.slice(0, sample).sort((a, b) => (a.subject < b.subject ? -1 : 1));
  return { ...estimateTotal(counts, places), found: named };
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
