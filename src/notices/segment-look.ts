import { Injectable } from '@nestjs/common';
import type { ServiceFact } from '../delivery/new-notices';
import type { Tx } from '../platform/database/database';
import { type FailedSegment, readFailedSegments } from '../segments/reading/failed-segments';
import { compareTold } from './compare-told';
import type { Findings, Look, Told } from './look';

/** Tells that a definition of a segment could not be computed. */
@Injectable()
export class SegmentLook implements Look {
  readonly name = 'segments';
  readonly kinds = ['segment_failed'] as const;
  readonly everyMs = 2_000;

  async look(told: ReadonlyMap<string, Told>, tx: Tx): Promise<Findings> {
    const failed = await readFailedSegments(tx);
    const states = new Map(failed.map(({ id, generation }) => [id, String(generation)]));
    const { news, ...next } = compareTold(told, states);
    return { ...next, facts: failed.filter(({ id }) => news.has(id)).map(factOf) };
  }
}

/** Without the failure itself, which may repeat what is known of a person. */
function factOf({ id, name, isLive }: FailedSegment): ServiceFact {
  const meanwhile = isLive ? 'It goes on with the definition before' : 'It has no members yet';
  return {
    kind: 'segment_failed',
    text: `Segment "${name}" could not be computed. ${meanwhile}; GET /segments/${id} has the failure.`,
    properties: { segmentId: id, segmentName: name, isLive },
  };
}
