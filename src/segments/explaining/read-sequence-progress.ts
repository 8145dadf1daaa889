import type { Subject } from '../../events/customer-event';
import type { Tx } from '../../platform/database/database';
import { MAX_WITHIN_DAYS } from '../rules/parsing/limits';
import { conditionsOf, type Predicate } from '../rules/predicate';
import type { Sequence } from '../rules/sequence';
import { progressInWindow, progressOutside, type SequenceProgress } from '../rules/sequence-progress';
import { type ProgressRow, progressStatement } from '../rules/sql/sequence-progress-to-sql';

/** How far a person came along each sequence, by the path of the rule: a read of the events each, or two. */
export async function readSequenceProgress(
  predicate: Predicate,
  subject: Subject,
  nowMs: number,
  tx: Tx,
): Promise<ReadonlyMap<string, SequenceProgress>> {
  const read = async (sequence: Sequence): Promise<ProgressRow | undefined> => {
    const { text, params } = progressStatement(sequence, { subject, nowMs });
    const [row] = await tx.query<ProgressRow>(text, [...params]);
    return row;
  };
  const found = new Map<string, SequenceProgress>();
  for (const { path, field } of conditionsOf(predicate)) {
    if (field.kind !== 'sequence') continue;
    const row = await read(field);
    const progress =
      row === undefined
        ? progressOutside(field, await read(atAnyTime(field)), nowMs)
        : progressInWindow(field, row, nowMs);
    found.set(path, progress);
  }
  return found;
}

/** The same sequence, whenever it begins. */
function atAnyTime(sequence: Sequence): Sequence {
  const steps = sequence.steps.map((step) => ({ ...step, range: undefined }));
  return { ...sequence, steps, window: { unit: 'day', count: MAX_WITHIN_DAYS } };
}
