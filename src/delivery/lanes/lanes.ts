import { Injectable, Logger } from '@nestjs/common';
import { Attempts } from '../sending/attempts';
import { Breakers } from '../breaker/breakers';
import { DeliveryModes } from '../delivery-modes';
import { Ledger } from '../ledger/ledger';
import { Budget } from './budget';
import { Lane } from './lane';
import { LaneBudget } from './lane-budget';
import { LaneClaims } from './lane-claims';
import { LaneGate } from './lane-gate';

/** One lane per destination, so that a destination that is slow, hangs or fails has only its own lane to fill. */
@Injectable()
export class Lanes {
  private readonly logger = new Logger(Lanes.name);
  private readonly lanes = new Map<string, Lane>();
  private isClosed = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly budget: Budget,
    private readonly attempts: Attempts,
    private readonly breakers: Breakers,
    private readonly modes: DeliveryModes,
  ) {}

  laneOf(destinationId: string): Lane {
    let lane = this.lanes.get(destinationId);
    if (lane === undefined) this.lanes.set(destinationId, (lane = this.open(destinationId)));
    return lane;
  }

  all(): Lane[] {
    return [...this.lanes.values()];
  }

  /** Called every second. */
  tick(): void {
    this.breakers.followHealth();
    this.ledger
      .secureIfAlarmed(() => this.all().flatMap((lane) => lane.held))
      .catch((error: unknown) => this.logger.warn(`What is in hand could not be marked: ${String(error)}`));
    for (const [destinationId, lane] of this.lanes) {
      lane.tick();
      if (lane.isIdle && this.modes.destination(destinationId) === undefined) this.forget(destinationId);
    }
  }

  /** Nothing more is started, neither by lanes that are opened from now on; what is being sent ends by itself. */
  close(): void {
    this.isClosed = true;
    for (const lane of this.all()) lane.close();
  }

  private open(destinationId: string): Lane {
    const gate = new LaneGate(destinationId, this.breakers.breakerOf(destinationId), this.modes);
    const budget = new LaneBudget(destinationId, this.budget);
    const lane = new Lane(gate, new LaneClaims(gate, this.ledger, budget), budget, this.attempts);
    if (this.isClosed) lane.close();
    return lane;
  }

  private forget(destinationId: string): void {
    this.lanes.delete(destinationId);
    this.breakers.forget(destinationId);
  }
}
