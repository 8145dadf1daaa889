/** A worker as another one sees it. */
interface Seen {
  /** How often it had counted when it was last looked at. */
  beats: string;
  /** For how long it has not counted on, as far as the looks could see. */
  silentMs: number;
}

/** A worker that is silent for this long may be in trouble: it missed two of its beats. */
const SUSPECT_AFTER_MS = 2_000;
/** A worker that is silent for this long has died, or does not get to its work: others may take what it holds. */
const LOST_AFTER_MS = 5_000;
/** A longer silence is not that of the others: this process was away itself, or PostgreSQL was. */
const MAX_STEP_MS = 2_000;

/**
 * Tells from the counts of workers which of them are gone. Pure: it goes by the time between its looks, so that no
 * clock of another machine, nor an outage of PostgreSQL that keeps all of them from counting, makes anybody look dead.
 */
export class PresenceWatch {
  private readonly workers = new Map<number, Seen>();
  private lookedAt: number | undefined;
  private watchedMs = 0;

  /** Takes in what all workers have counted to. @param now in milliseconds of any steady clock */
  look(counts: ReadonlyMap<number, string>, now: number): void {
    const step = Math.min(now - (this.lookedAt ?? now), MAX_STEP_MS);
    this.lookedAt = now;
    this.watchedMs += step;
    for (const id of this.workers.keys()) if (!counts.has(id)) this.workers.delete(id);
    for (const [id, beats] of counts) {
      const seen = this.workers.get(id);
      if (seen?.beats === beats) seen.silentMs += step;
      else this.workers.set(id, { beats, silentMs: 0 });
    }
  }

  /** Whether some worker may be gone, as far as is known yet: then what is held must be marked as held. */
  get isAlarmed(): boolean {
    return this.watchedMs < LOST_AFTER_MS || this.silentFor(SUSPECT_AFTER_MS).length > 0;
  }

  /** The workers that are gone. */
  get lost(): number[] {
    return this.silentFor(LOST_AFTER_MS);
  }

  /** The workers that have been silent for this long. */
  silentFor(ms: number): number[] {
    return [...this.workers].filter(([, { silentMs }]) => silentMs >= ms).map(([id]) => id);
  }
}
