import type { ActiveDestination } from '../../destinations/active-destinations';
import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import type { Ledger } from '../ledger/ledger';

/** People that may be named at a time. For more there is the walk. */
const MAX_NAMED = 10_000;
/** A walk that found nobody is made again after so many times what it took. */
const REST_PER_WALK = 10;

/** A walk from person to person. */
interface Walk {
  readonly startedAt: number;
  /** Undefined at the beginning. */
  reached: string | undefined;
  hasFound: boolean;
}

/**
 * The people of a destination with an order of whom the head may be free: those that were named, because something was written
 * for them or ended, and those that a walk through all for whom something waits comes by.
 */
export class OrderedBacklog {
  private readonly named = new Set<string>();
  private underWay: Walk | undefined;
  private restUntil = 0;

  constructor(private readonly ledger: Ledger) {}

  get areAny(): boolean {
    return this.named.size > 0 || this.underWay !== undefined;
  }

  get size(): number {
    return this.named.size;
  }

  addPeople(people: readonly string[]): void {
    if (this.named.size + people.length > MAX_NAMED) return this.walk();
    for (const person of people) this.named.add(person);
  }

  /** Looks at everybody for whom something waits. */
  walk(): void {
    const startedAt = performance.now();
    if (startedAt < this.restUntil) return;
    this.underWay ??= { startedAt, reached: undefined, hasFound: false };
  }

  forget(): void {
    this.named.clear();
    this.underWay = undefined;
  }

  /** Claims the next delivery of up to so many people. @throws when PostgreSQL is away */
  async claimHeads(destination: ActiveDestination, limit: number): Promise<ClaimedDelivery[]> {
    if (this.named.size === 0 && this.underWay !== undefined) await this.goOn(this.underWay, destination);
    const people: string[] = [];
    for (const person of this.named) {
      if (people.length >= limit) break;
      this.named.delete(person);
      people.push(person);
    }
    return this.ledger.claimHeads(destination, people);
  }

  /** Claims one of anybody's. @throws when PostgreSQL is away */
  async claimAny(destination: ActiveDestination): Promise<ClaimedDelivery | undefined> {
    const { people } = await this.ledger.findHeads(destination);
    const [delivery] = await this.ledger.claimHeads(destination, people.slice(0, 1));
    return delivery;
  }

  private async goOn(walk: Walk, destination: ActiveDestination): Promise<void> {
    const { people, reached } = await this.ledger.findHeads(destination, walk.reached);
    for (const person of people) this.named.add(person);
    walk.hasFound ||= people.length > 0;
    walk.reached = reached;
    // It may have been ended meanwhile.
    if (reached !== undefined || this.underWay !== walk) return;
    this.underWay = undefined;
    const now = performance.now();
    if (!walk.hasFound) this.restUntil = now + (now - walk.startedAt) * REST_PER_WALK;
  }
}
