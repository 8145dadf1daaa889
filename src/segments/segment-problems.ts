import { Problem } from '../platform/http/problem';

/** There is no segment with this id. */
export class SegmentNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'segment_not_found';

  constructor(segmentId: string) {
    super(`There is no segment ${segmentId}.`);
  }
}

/** Somebody is at work on segments for so long that the change did not get its turn. */
export class SegmentsBusyError extends Problem {
  readonly status = 503;
  readonly code = 'segments_busy';
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('Segments are being worked on and could not be changed right now. Try again in a second.');
  }
}

/** Rules of other segments ask about it. */
export class SegmentInUseError extends Problem {
  readonly status = 409;
  readonly code = 'segment_in_use';

  constructor(segmentId: string, names: readonly string[]) {
    super(`Rules of other segments ask about the segment ${segmentId}: ${names.join(', ')}.`);
  }
}

/** The service holds as many segments as it may. */
export class TooManySegmentsError extends Problem {
  readonly status = 409;
  readonly code = 'too_many_segments';

  constructor(limit: number) {
    super(`There are ${limit} segments already, which is the limit (CDP_SEGMENTS_MAX).`);
  }
}
