import type { LaneLimits } from './lane-limits';

interface Bodied {
  readonly body: string | undefined;
}

/** The bodies in the hands of one lane, from the claim until the outcome is recorded. */
export class HeldBodies {
  private bytes = 0;

  constructor(private readonly limits: LaneLimits) {}

  /** How many more deliveries may be claimed: one at least, when none is held. */
  get room(): number {
    const room = Math.floor((this.limits.bodies.share - this.bytes) / this.limits.usualBytes);
    return Math.max(this.bytes === 0 ? 1 : 0, room);
  }

  /** Counts what was claimed. */
  take(claimed: readonly Bodied[]): void {
    if (claimed.length === 0) return;
    const bytes = claimed.reduce((sum, delivery) => sum + bytesOf(delivery), 0);
    this.add(bytes);
    this.limits.learn(bytes / claimed.length);
  }

  /** The delivery is in the hands of the lane no more. */
  release(delivery: Bodied): void {
    this.add(-bytesOf(delivery));
  }

  private add(bytes: number): void {
    this.bytes += bytes;
    this.limits.bodies.add(bytes);
  }
}

function bytesOf({ body }: Bodied): number {
  return body?.length ?? 0;
}
