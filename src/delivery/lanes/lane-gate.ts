import type { ActiveDestination } from '../../destinations/active-destinations';
import type { Breaker } from '../breaker/breaker';
import type { DeliveryModes } from '../delivery-modes';

/** Whether deliveries of one destination may be sent from this process. When not, they wait in the ledger. */
export class LaneGate {
  private isShut = false;

  constructor(
    readonly destinationId: string,
    readonly breaker: Breaker,
    private readonly modes: DeliveryModes,
  ) {}

  /** Undefined when it is deleted. */
  get destination(): ActiveDestination | undefined {
    return this.modes.destination(this.destinationId);
  }

  get perSecond(): number | undefined {
    return this.destination?.perSecond;
  }

  get isDown(): boolean {
    return this.breaker.state === 'open';
  }

  get isOpen(): boolean {
    return !this.isDown && this.mayBeProbed;
  }

  /** Whether it is open but for what probes are to find out. */
  get mayBeProbed(): boolean {
    if (this.isShut) return false;
    const { destination } = this;
    // A deleted destination is let through: its deliveries are claimed to be cancelled.
    return destination === undefined || (destination.enabled && this.modes.goOneByOne(destination));
  }

  /** For good: the process stops. */
  shut(): void {
    this.isShut = true;
  }
}
