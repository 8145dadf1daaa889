/** Erasures, and events of the people whom a step is about, wait for so long at most. */
const AIM_MS = 200;
/** What a step takes depends on what else goes on, too. */
const MAX_GROWTH = 2;
/** Forgotten is the generation that this process has not worked on for the longest time. */
const REMEMBERED = 100;

/** How long steps of computations are: as much as takes {@link AIM_MS}, by what the one before took in this process. */
export class StepLengths {
  private readonly lengths = new Map<number, number>();

  /** @param first of a generation that no step is known of */
  lengthOf(generation: number, first: number): number {
    return this.lengths.get(generation) ?? first;
  }

  /** Learns from a step. @param most that any may have */
  note(generation: number, step: { readonly length: number; readonly tookMs: number }, most: number): void {
    const next = step.length * Math.min(MAX_GROWTH, AIM_MS / Math.max(1, step.tookMs));
    this.lengths.delete(generation);
    this.lengths.set(generation, Math.max(1, Math.min(most, Math.round(next))));
    const [oldest] = this.lengths.keys();
    if (this.lengths.size > REMEMBERED && oldest !== undefined) this.lengths.delete(oldest);
  }
}
