import { MAX_AHEAD_MS } from '../../events/event-time';

/**
 * When an event happened by the service's clock, all in milliseconds.
 *
 * With `sentAtMs` the client's clock is compared with ours at the moment of sending, and the event is moved by the
 * difference: receivedAt − (sentAt − timestamp). This is the convention's rule (Segment, "Timestamps in Segment"). A
 * result before 1970 or more than a day ahead comes from a clock that was never set: then it is the time of reception,
 * for one event from the year 9999 would otherwise win over all traits of its person for ever.
 */
export function correctTimestamp(
  timestampMs: number,
  sentAtMs: number | undefined,
  receivedAtMs: number,
): number {
  const corrected = sentAtMs === undefined ? timestampMs : receivedAtMs - (sentAtMs - timestampMs);
  const plausible = corrected >= 0 && corrected <= receivedAtMs + MAX_AHEAD_MS;
  return plausible ? corrected : receivedAtMs;
}
