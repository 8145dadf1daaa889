/** How long a group waits for others at most. At such rates it is most of what an event waits on its way. */
const LINGER_MS = 6;
/** Requests that come closer to each other meet in groups anyway: the next one gathers while one is being committed. */
const DENSE_MS = 1;
/** Of the distance between requests, and of what waiting brings: what the newest counts in the mean. */
const NEWEST_SHARE = 0.1;
/** A pause counts as this long: after it, some ten requests tell how close they come now. */
const LONGEST_GAP_MS = 20;
/**
 * Of the requests that were waited for: when fewer come, those who send wait for their answers, and get them sooner.
 */
const WORTHWHILE_SHARE = 0.35;
/** Groups that do not wait then, before it is tried again. */
const RESTING_GROUPS = 100;

/**
 * For how many requests a group commit waits. A commit and the transaction behind it cost the same whatever is in them:
 * where some hundred requests come a second, two or three that share one are worth a few milliseconds. At lower rates
 * nobody would come.
 */
export class Linger {
  readonly maxMs = LINGER_MS;
  private gapMs = LONGEST_GAP_MS;
  private lastMs = Number.NEGATIVE_INFINITY;
  private cameShare = 1;
  private resting = 0;

  /** A request has come. @param nowMs by a clock that never goes back */
  noteRequest(nowMs: number): void {
    const gapMs = Math.min(nowMs - this.lastMs, LONGEST_GAP_MS);
    this.lastMs = nowMs;
    this.gapMs += NEWEST_SHARE * (gapMs - this.gapMs);
  }

  /** How many requests the next group should have: 1 where none is worth waiting for. */
  nextGroup(): number {
    if (this.gapMs > LINGER_MS || this.gapMs < DENSE_MS) return 1;
    if (this.resting === 0) return 1 + Math.floor(LINGER_MS / this.gapMs);
    this.resting -= 1;
    return 1;
  }

  /** A group has waited. */
  noteGroup(requests: number, wanted: number): void {
    const share = Math.min((requests - 1) / (wanted - 1), 1);
    this.cameShare += NEWEST_SHARE * (share - this.cameShare);
    if (this.cameShare >= WORTHWHILE_SHARE) return;
    this.cameShare = 0.5;
    this.resting = RESTING_GROUPS;
  }
}
