import type { Subject } from '../events/customer-event';
import type { Actor } from '../platform/auth/principal';
import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

/** What is to be done. */
export interface Erasure {
  readonly subject: Subject;
  readonly suppress: boolean;
  readonly actor: Actor;
}

/** What of a person is deleted in parts. */
export interface ErasedParts {
  readonly deliveries: number;
  readonly events: number;
  /** Events that were not accepted, or are quarantined, and requests of webhooks. */
  readonly others: number;
}

/** What a note says at the end. */
interface EndedErasure extends ErasedParts {
  readonly suppress: boolean;
}

export const NOTHING_ERASED: ErasedParts = { deliveries: 0, events: 0, others: 0 };

/** Somebody else has ended an erasure that was noted: what comes of the person since then stays. */
export class ErasureEndedError extends Error {
  constructor() {
    super('The erasure was ended by another process or request.');
  }
}

/**
 * Whose last part was so long ago has no process any more, or one whose last transaction waits for others: of two who
 * go on, the one ends it who finds the note.
 */
const LEFT_AFTER_SECONDS = 30;

// Who asks again goes on with what was left.
const beginSql = prepared('begin_erasure')`
  insert into erasure (subject, suppress, actor) values ($1, $2, $3)
  on conflict (subject) do update
  set suppress = erasure.suppress or excluded.suppress, actor = excluded.actor, stepped_at = excluded.stepped_at`;
const noteSql = prepared('note_erased_part')`
  update erasure set deliveries = deliveries + $2, events = events + $3, others = others + $4, stepped_at = now()
  where subject = $1 returning true as noted`;
const endSql = prepared('end_erasure')`
  delete from erasure where subject = $1
  returning suppress, deliveries::float8 as deliveries, events::float8 as events, others::float8 as others`;
const takeLeftSql = prepared('take_left_erasure')`
  update erasure set stepped_at = now()
  where subject = (
    select subject from erasure where stepped_at < now() - interval '${LEFT_AFTER_SECONDS} seconds'
    order by stepped_at limit 1 for update skip locked)
  returning subject, suppress, actor`;

/** Whether there are erasures that nobody goes on with. */
export const anyLeftErasureSql = `
  select exists (select from erasure where stepped_at < now() - interval '${LEFT_AFTER_SECONDS} seconds')`;

/** Writes down that a person is being erased: from then on it goes on, whatever becomes of this process. */
export async function beginErasure({ subject, suppress, actor }: Erasure, tx: Tx): Promise<void> {
  await tx.query(beginSql, [subject, suppress, JSON.stringify(actor)]);
}

/**
 * Writes down what a part has deleted, in its transaction. Parts of the same erasure wait for each other.
 * @throws ErasureEndedError
 */
export async function notePart(
  subject: Subject,
  { deliveries, events, others }: ErasedParts,
  tx: Tx,
): Promise<void> {
  const noted = await tx.query(noteSql, [subject, deliveries, events, others]);
  if (noted.length === 0) throw new ErasureEndedError();
}

/** Removes the note, if there is one. */
export async function endErasure(subject: Subject, tx: Tx): Promise<EndedErasure | undefined> {
  const [row] = await tx.query<EndedErasure>(endSql, [subject]);
  return row;
}

/** Takes an erasure that nobody goes on with. */
export async function takeLeftErasure(tx: Tx): Promise<Erasure | undefined> {
  const [row] = await tx.query<Erasure>(takeLeftSql);
  return row;
}
