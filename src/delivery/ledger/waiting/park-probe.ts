import type { Tx } from '../../../platform/database/database';
import type { DeliveryOutcome } from '../recording/delivery-outcome';
import { beginOf, isBetween, prunedStatement } from '../pruned-statement';
import { held, LOG, newTryId, rangeOfOutcomes, triedOf, TRIES } from '../recording/try-log';
import { isOneOf, isStillPending } from '../found-by-id';

// One that is replayed stays as old as its replay, or it could be the probe for ever.
const parkAndLogProbesSql = prunedStatement(
  'park_and_log_probes',
  (fromId) => `
  with r as materialized (${TRIES}), changed as (
    update delivery d set leased_until = null, error_class = r."errorClass",
      updated_at = case when d.attempt_limit is null then r.at else d.updated_at end,
      attempts = r.attempt, probes = d.probes + r.attempt - d.attempts, due_at = now() + $1 * interval '1 millisecond'
    from r where d.id = r.id and ${isOneOf('r')} and ${isBetween('d.id', '$3', '$4')}
      and d.id >= ${fromId} and ${isStillPending('d.state')} and d.attempts <= r.attempt
    returning d.id
  ), ${held(fromId)} ${LOG}`,
);

/** Probes after which a delivery's tries are counted no further: the column ends at 32,767. */
const MAX_ATTEMPTS = 30_000;

/**
 * Records tries that failed and are none that deliveries have, such as probes. They have as many left as before, and
 * are due.
 * @transition pending --> pending
 */
export async function parkAndLogProbes(probed: readonly DeliveryOutcome[], tx: Tx): Promise<void> {
  // The time of the next try is not known: a state other than pending logs none.
  const parked = probed.map((outcome) => ({
    ...triedOf(outcome),
    state: 'parked',
    attempt: Math.min(outcome.attempt, MAX_ATTEMPTS),
  }));
  const range = rangeOfOutcomes(probed);
  const statement = parkAndLogProbesSql(beginOf(range[0]));
  await tx.query(statement, [0, JSON.stringify(parked), ...range, newTryId(range[1])]);
}
