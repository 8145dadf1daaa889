import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';
import type { LaneBudget } from './lane-budget';
import type { LaneJob } from './lane-job';

/**
 * A claimed delivery in the hands of this process, from the claim until its outcome is recorded or it is given back.
 * It counts against the budget of its lane, its job waits for it, and it ends exactly once.
 */
export class Hold {
  /** In the budget's list. */
  index = 0;
  private isOver = false;

  /** @param job undefined for what no job brought */
  constructor(
    readonly delivery: ClaimedDelivery,
    private readonly job: LaneJob | undefined,
    private readonly budget: LaneBudget,
  ) {}

  /** In characters: in memory one is one byte as a rule, two when any of the text is beyond Latin-1. */
  get bytes(): number {
    return this.delivery.body?.length ?? 0;
  }

  /** Whether the job that brought it makes its next try. */
  get isRetriedByJob(): boolean {
    return this.job?.makesNextTry === true;
  }

  /** Lets go of everything, once. @param outcome none when it was not tried */
  end(outcome?: DeliveryOutcome): void {
    if (this.isOver) return;
    this.isOver = true;
    this.budget.release(this);
    this.job?.endOne(outcome);
  }
}
