import { Logger } from '@nestjs/common';
import type { Tx } from '../../platform/database/database';
import { passesByItself } from '../../platform/database/failure';
import { withoutQuotes } from '../../platform/logging/without-quotes';
import { changeRevision } from '../definitions/revision';
import { addDiscards, dropBegun, type SegmentTask } from './segment-tasks';

/** Tries before a computation counts as failed, unless PostgreSQL is away. What tidies up is tried for ever. */
const MAX_TASK_TRIES = 5;
const RETRY_AFTER_S = 2;
const MAX_RETRY_AFTER_S = 60;

const logger = new Logger('SegmentUpkeep');

const retryLaterSql = `
  update segment_task set failures = failures + 1, run_after = statement_timestamp() + $2 * interval '1 second'
  where id = $1`;
const failSegmentSql = `update segment set state = 'failed', failure = $3 where id = $1 and generation = $2`;

/** Notes that a task failed: it is tried again a little later, or its segment has failed. */
export async function recordFailure(task: SegmentTask, error: unknown, tx: Tx): Promise<void> {
  const reason = withoutQuotes(error instanceof Error ? error.message : String(error));
  const { id, kind, segmentId, generation, failures } = task;
  logger.warn(`Segment ${segmentId} could not be worked on (${kind}, generation ${generation}): ${reason}`);
  if (kind !== 'compute' || failures + 1 < MAX_TASK_TRIES || passesByItself(error)) {
    await tx.query(retryLaterSql, [id, Math.min(RETRY_AFTER_S * (failures + 1), MAX_RETRY_AFTER_S)]);
    return;
  }
  await dropBegun(segmentId, generation, tx);
  await addDiscards(segmentId, [generation], tx);
  await changeRevision(tx);
  await tx.query(failSegmentSql, [segmentId, generation, reason]);
}
