import { Problem } from '../platform/http/problem';

/** There is no segment with this id. */
export class SegmentNotFoundError extends Problem {
  static readonly status = 404;
  static readonly code = 'segment_not_found';
  static readonly when = 'There is no segment with this id.';
  readonly status = SegmentNotFoundError.status;
  readonly code = SegmentNotFoundError.code;

  constructor(segmentId: string) {
    super(`There is no segment ${segmentId}.`);
  }
}

/** Segments were worked on for so long that the change could not be made in time. */
export class SegmentsBusyError extends Problem {
  static readonly status = 503;
  static readonly code = 'segments_busy';
  static readonly when = 'Segments are being worked on; `Retry-After` says how long to wait.';
  readonly status = SegmentsBusyError.status;
  readonly code = SegmentsBusyError.code;
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('Segments are being worked on and could not be changed right now. Try again in a second.');
  }
}

/** Rules of other segments ask about it. */
export class SegmentInUseError extends Problem {
  static readonly status = 409;
  static readonly code = 'segment_in_use';
  static readonly when = 'Rules of other segments ask about it.';
  readonly status = SegmentInUseError.status;
  readonly code = SegmentInUseError.code;

  constructor(segmentId: string, names: readonly string[]) {
    super(`Rules of other segments ask about the segment ${segmentId}: ${names.join(', ')}.`);
  }
}

/** The service holds as many segments as it may. */
export class TooManySegmentsError extends Problem {
  static readonly status = 409;
  static readonly code = 'too_many_segments';
  static readonly when = 'There are as many segments as there may be.';
  readonly status = TooManySegmentsError.status;
  readonly code = TooManySegmentsError.code;

  constructor(limit: number) {
    super(`There are ${limit} segments already, which is the limit.`);
  }
}
