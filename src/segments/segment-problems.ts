import { notFound, problem } from '../platform/http/problems/problem';
import { type Askers, wordsOf } from './askers';

export class SegmentNotFoundError extends notFound('segment') {}

/** Segments were worked on for so long that the change could not be made in time. */
export class SegmentsBusyError extends problem(
  503,
  'segments_busy',
  'Segments are being worked on; `Retry-After` says how long to wait.',
) {
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('Segments are being worked on and could not be changed right now. Try again in a second.');
  }
}

export class SegmentInUseError extends problem(
  409,
  'segment_in_use',
  'Rules of other segments or filters of destinations ask about it.',
) {
  constructor(name: string, askers: Askers) {
    super(
      `The segment "${name}" is asked about by ${wordsOf(askers, 'filters')}. Change them to ask about something else first.`,
    );
  }
}

/** The service holds as many segments as it may. */
export class TooManySegmentsError extends problem(
  409,
  'too_many_segments',
  'There are as many segments as there may be.',
) {
  constructor(limit: number) {
    super(`There are ${limit} segments already, which is the limit.`);
  }
}

/** Rules about what is in events ask for as many different values as they may. */
export class TooManyMeasuresError extends problem(
  409,
  'too_many_measures',
  'Rules ask for as many different values of events as they may.',
) {
  constructor(limit: number) {
    super(
      `With these rules segments would ask for more than ${limit} different values of events, which is the limit.`,
    );
  }
}
