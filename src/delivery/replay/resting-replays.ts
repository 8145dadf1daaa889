const MIN_REST_MS = 1_000;
/** A step that is cancelled after half a minute must not take all the time of the others. */
const REST_FACTOR = 2;

/** Replays of which a step has failed here. Each rests for twice as long as that took, and a second at least. */
export class RestingReplays {
  private readonly untilMs = new Map<string, number>();

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  get ids(): string[] {
    for (const [id, untilMs] of this.untilMs) if (untilMs <= this.nowMs()) this.untilMs.delete(id);
    return [...this.untilMs.keys()];
  }

  rest(replayId: string, tookMs: number): void {
    this.untilMs.set(replayId, this.nowMs() + Math.max(MIN_REST_MS, REST_FACTOR * tookMs));
  }
}
