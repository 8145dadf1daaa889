import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';

/** A segment whose newest definition could not be computed. */
export interface FailedSegment {
  readonly id: string;
  readonly name: string;
  /** Of that definition. */
  readonly generation: number;
  /** Whether an older definition goes on. */
  readonly isLive: boolean;
}

const readFailedSql = prepared('read_failed_segments')`
  select id, name, generation, live_generation is not null as "isLive" from segment where state = 'failed' order by id`;

export function readFailedSegments(tx: Tx): Promise<FailedSegment[]> {
  return tx.query<FailedSegment>(readFailedSql);
}
