import type { Dto } from '../../api/client';
import { duration } from '../duration';
import type { SequenceRule } from './rule-words';

type Stop = Dto['SequenceStopDto'];

/** A time in a sentence, and the event that it is of. */
export interface TimeInWords {
  readonly at: string;
  readonly eventId?: string;
}

/** Why somebody came no further along a sequence: a sentence, in which times stand by themselves. */
export function stopWords(stop: Stop, rule: SequenceRule): readonly (string | TimeInWords)[] {
  const { reason, limit, event } = stop;
  const until = limit === undefined ? [] : [{ at: limit }, limitWords(stop, rule)];
  const came = event === undefined ? [] : [{ at: event.timestamp, eventId: event.id }];
  const name = nameOf(stop, rule);
  switch (reason) {
    case 'waiting':
      return [
        stop.step === 'not' ? `${name} must not come until ` : `${name} may still come until `,
        ...until,
      ];
    case 'never_came':
      return limit === undefined ? [`${name} never came`] : [`${name} did not come until `, ...until];
    case 'too_late':
      return [`${name} came ${delayOf(stop)} too late, at `, ...came, ': its time ended at ', ...until];
    case 'followed':
      return [`${name} came in the time in which it must not, at `, ...came, ': before ', ...until];
    case 'window_ends_first':
      return ['The first step leaves the window at ', ...until, `, before the time of ${name} is over`];
    case 'before_window':
      return ['The first step was before the window, which begins at ', ...until];
    case 'after_window':
      return ['The first step was after the window, which ended at ', ...until];
  }
}

/** `Step 2, "Paid",`; of what does not follow `"Paid"`. */
function nameOf({ step }: Stop, { sequence, not }: SequenceRule): string {
  if (step === 'not') return JSON.stringify(not?.event ?? step);
  const at = stepIn(step);
  return `Step ${at + 1}, ${JSON.stringify(sequence[at]?.event ?? step)},`;
}

/** What sets the time, in brackets. */
function limitWords({ limitedBy }: Stop, { sequence, allWithin, not, within }: SequenceRule): string {
  switch (limitedBy) {
    case undefined:
      return ' (as long as events are kept)';
    case 'allWithin':
      return ` (all steps within ${allWithin})`;
    case 'not.within':
      return ` (within ${not?.within} after the last step)`;
    case 'within':
      return ` (the first step in the last ${within})`;
    case 'from':
    case 'to':
      return '';
    default:
      return ` (within ${sequence[stepIn(limitedBy)]?.within} after the step before)`;
  }
}

function stepIn(place: string): number {
  return Number(/\d+/.exec(place)?.[0]);
}

function delayOf({ limit = '', event }: Stop): string {
  return duration((Date.parse(event?.timestamp ?? '') - Date.parse(limit)) / 1_000);
}
