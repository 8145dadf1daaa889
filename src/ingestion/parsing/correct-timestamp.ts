import { MAX_AHEAD_MS } from '../../events/event-time';

/** Clocks that differ by less are the same: what differs is how long the request was under way. */
const MIN_DIFFERENCE_MS = 500;

/**
 * When an event happened by the service's clock, all in milliseconds.
 *
 * With `sentAtMs` the client's clock is compared with ours at the moment of sending, and the event is moved by the
 * difference: receivedAt − (sentAt − timestamp). This is the convention's rule (Segment, "Timestamps in Segment"). It
 * takes the way of a request for a difference of the clocks, too, so that of two requests the slower one's events would
 * be later, whatever was first: where the clocks may as well be the same, nothing is moved. A result before 1970 or more
 * than a day ahead comes from a clock that was never set: then it is the time of reception, for one event from the year
 * 9999 would otherwise win over all traits of its person for ever.
 */
export function correctTimestamp(
  timestampMs: number,
  sentAtMs: number | undefined,
  receivedAtMs: number,
): number {
  const differenceMs = sentAtMs === undefined ? 0 : receivedAtMs - sentAtMs;
  const corrected = Math.abs(differenceMs) < MIN_DIFFERENCE_MS ? timestampMs : timestampMs + differenceMs;
  const plausible = corrected >= 0 && corrected <= receivedAtMs + MAX_AHEAD_MS;
  return plausible ? corrected : receivedAtMs;
}
