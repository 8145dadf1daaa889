import { timeOfId } from '../../../events/partitions/partition-plan';
import { newRowId } from '../../../platform/database/connections/database-clock';
import type { DeliveryOutcome } from './delivery-outcome';
import { isBetween } from '../pruned-statement';
import { rangeOfIds } from '../../../platform/database/statements/range-of-ids';

/** How the JSON of {@link resultOf} is read. */
export const RESULTS = '(id uuid, state text, attempt smallint, "errorClass" text, "waitMs" float8';
/** What is added to them: when a delivery that waits is due, with the grace of $1 for its job. */
export const TIMES = `*, now() as at, now() + ("waitMs" + $1) * interval '1 millisecond' as next_at`;
// All rows travel as one JSON text: arrays of their columns cost both sides twice as much.
export const TRIES = `
  select ${TIMES} from json_to_recordset($2) as r${RESULTS},
    "startedMs" float8, status smallint, "dnsMs" real, "connectMs" real, "tlsMs" real, "firstByteMs" real,
    "totalMs" real, answer text)`;
// A deletion of the person may have been faster, and no later one finds the tries of a delivery that is gone: its lock
// is waited for, by the update or by the look at the rows that were not updated.
export const held = (fromId: string): string => `
  held as (
    select id from changed
    union all
    select d.id
    from (select id from r except all select id from changed) as other
    cross join lateral (
      select id from delivery where id = other.id and ${isBetween('id', '$3', '$4')} and id >= ${fromId} for key share
    ) as d
  )`;
export const LOG = `
  insert into delivery_attempt (delivery_id, attempt, error_class, next_try_at, id, started_at, status,
    dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, answer)
  select id, attempt, "errorClass", case when state = 'pending' then at + "waitMs" * interval '1 millisecond' end,
    $5::uuid, to_timestamp("startedMs" / 1000), status,
    "dnsMs", "connectMs", "tlsMs", "firstByteMs", "totalMs", answer
  from r where id in (select id from held)`;

/**
 * The id of tries that are written together, above those of their deliveries, which other processes may have made by
 * clocks that are ahead: it is how tries are found, and erased.
 * @param highest of the ids of the deliveries
 */
export function newTryId(highest: string): string {
  return newRowId(timeOfId(highest) + 1);
}

/** The lowest and the highest id of the deliveries. */
export function rangeOfOutcomes(outcomes: readonly DeliveryOutcome[]): [string, string] {
  return rangeOfIds(outcomes.map(({ delivery }) => delivery.id));
}

/** What a delivery comes to. */
export function resultOf({ delivery, state, attempt, errorClass, waitMs }: DeliveryOutcome): object {
  return { id: delivery.id, state, attempt, errorClass, waitMs };
}

/** The same, and the try. */
export function triedOf(outcome: DeliveryOutcome): object {
  const { delivery, state, attempt, errorClass, waitMs, startedAt, status, latency, totalMs, answer } =
    outcome;
  return {
    id: delivery.id,
    state,
    attempt,
    errorClass,
    waitMs,
    startedMs: startedAt.getTime(),
    status,
    dnsMs: latency.dnsMs,
    connectMs: latency.connectMs,
    tlsMs: latency.tlsMs,
    firstByteMs: latency.firstByteMs,
    totalMs,
    answer,
  };
}
