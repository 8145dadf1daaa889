import type { ClaimedDelivery } from '../ledger/claimed-delivery';
import type { LaneLimits } from './lane-limits';

/** A delivery in the hands of a lane. */
interface Held {
  readonly delivery: Pick<ClaimedDelivery, 'id' | 'body'>;
  /** In the list of those that are held. */
  place: number;
}

/** What one lane holds, and how large it is, from the claim until the outcome is recorded. */
export class HeldBodies {
  private bytes = 0;
  // Each knows its place: a set that changes thousands of times a second leaves a chain of old tables behind.
  private readonly held: Held[] = [];

  constructor(private readonly limits: LaneLimits) {}

  /** How many more deliveries may be claimed: one at least, when none is held. */
  get room(): number {
    const room = Math.floor((this.limits.bodies.share - this.bytes) / this.limits.usualBytes);
    return Math.max(this.bytes === 0 ? 1 : 0, room);
  }

  get ids(): string[] {
    return this.held.map(({ delivery }) => delivery.id);
  }

  /** Counts what was claimed. */
  take(claimed: readonly Held[]): void {
    if (claimed.length === 0) return;
    for (const one of claimed) one.place = this.held.push(one) - 1;
    const bytes = claimed.reduce((sum, one) => sum + bytesOf(one), 0);
    this.add(bytes);
    this.limits.learn(bytes / claimed.length);
  }

  /** The delivery is in the hands of the lane no more. */
  release(one: Held): void {
    this.add(-bytesOf(one));
    const last = this.held.pop();
    if (last === undefined || last === one) return;
    this.held[one.place] = last;
    last.place = one.place;
  }

  private add(bytes: number): void {
    this.bytes += bytes;
    this.limits.bodies.add(bytes);
  }
}

function bytesOf({ delivery: { body } }: Held): number {
  return body?.length ?? 0;
}
