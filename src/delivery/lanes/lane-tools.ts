import type { ActiveDestination, ActiveDestinations } from '../../destinations/active-destinations';
import type { Ledger } from '../ledger/ledger';
import type { Outcome } from '../ledger/outcome';
import type { OutcomeWriter } from '../ledger/outcome-writer';
import type { RateLimiter } from '../rate/rate-limiter';
import type { Sender } from '../sender';
import type { LaneLimits } from './lane-limits';
import type { Lane } from './lane';

/** What all lanes of a process share. */
export interface LaneTools {
  readonly ledger: Ledger;
  readonly destinations: ActiveDestinations;
  readonly sender: Sender;
  readonly writer: OutcomeWriter;
  readonly limiter: RateLimiter;
  readonly limits: LaneLimits;
  readonly timeoutMs: number;
  /** Whether this process has a connector that sends the events of the destination one by one. */
  sends(destination: ActiveDestination): boolean;
  /** Called with every outcome as soon as the try is over, before it is recorded. */
  onTried(outcome: Outcome, lane: Lane): void;
  /** Called once an outcome is recorded; `byJob` when the job that brought it makes the next try itself. */
  onRecorded(outcome: Outcome, byJob: boolean): void;
  onError(error: unknown): void;
}
