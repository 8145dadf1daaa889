import { Injectable } from '@nestjs/common';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { Ledger } from '../ledger/ledger';
import type { Backlog } from '../ledger/waiting/find-backlogs';

/** From one round of the sweeper, in each of which there may be a look, to the next. */
export const ROUND_MS = 1_000;
/**
 * From a look that has found nothing to the next one, while all workers are there and when one may be gone. A change of
 * destinations, which may be a resume, is looked into at once.
 */
const IDLE_MS = 5_000;
const ALARMED_MS = 2_000;

/** The looks may take a fiftieth of the time, however many destinations there are. */
const PAUSE_PER_LOOK = 50;
const MAX_PAUSE_MS = 5_000;

/** Looks into the ledger for what is due and nobody has in hand: every round, or less often where that would cost much. */
@Injectable()
export class BacklogLooks {
  /** When there is a look whatever happens, and when there may be one. */
  private lookAt = 0;
  private mayLookAt = 0;
  private destinationsSeen: object | undefined;

  constructor(
    private readonly ledger: Ledger,
    private readonly destinations: ActiveDestinations,
  ) {}

  /** Undefined when it is not yet time to look. @throws when PostgreSQL is away */
  async findDue(): Promise<Backlog[] | undefined> {
    if (!this.isTimeToLook()) return undefined;
    this.destinationsSeen = this.destinations.snapshot;
    const start = performance.now();
    const found = await this.ledger.findBacklogs();
    const end = performance.now();
    const pauseMs = Math.min(PAUSE_PER_LOOK * (end - start), MAX_PAUSE_MS);
    // The round that comes closest to it.
    const restMs = this.ledger.isAlarmed ? ALARMED_MS : IDLE_MS;
    this.mayLookAt = end + pauseMs;
    this.lookAt = found.length > 0 ? this.mayLookAt : Math.max(this.mayLookAt, end + restMs - ROUND_MS / 2);
    return found;
  }

  private isTimeToLook(): boolean {
    const hasChanged = this.destinations.snapshot !== this.destinationsSeen;
    return performance.now() >= (hasChanged ? this.mayLookAt : this.lookAt);
  }
}
