import { newRowId } from '../../platform/database/database-clock';
import type { Tx } from '../../platform/database/database';
import type { Outcome } from './outcome';
import { rangeOf } from './range-of';

// Only a pending delivery changes, and only by the try that follows the last one on record: whatever else comes
// (a second worker whose lease had run out) finds the delivery done. A success counts whenever it comes.
// The range of ids repeats what r says, because it is what partitions are pruned by.
const UPDATE = `
  update delivery d set
    state = r.state, attempts = r.attempt, error_class = r."errorClass", leased_until = null, updated_at = now(),
    due_at = case r.state when 'pending' then now() + (r."waitMs" + $1) * interval '1 millisecond' else d.due_at end
  from r
  where d.id = r.id and d.id between $3 and $4 and d.state = 'pending'
    and (d.attempts = r.attempt - 1 or r.state = 'delivered')`;
const RESULTS = '(id uuid, state text, attempt smallint, "errorClass" text, "waitMs" float8';

const recordOnly = {
  name: 'record_outcomes',
  text: `with r as materialized (select * from json_to_recordset($2) as r${RESULTS})) ${UPDATE}`,
};
// One text of JSON for all: arrays of their columns cost both sides twice as much.
const TRIES = `
  select * from json_to_recordset($2) as r${RESULTS},
    "startedMs" float8, status smallint, "dnsMs" real, "connectMs" real, "tlsMs" real, "firstByteMs" real,
    "totalMs" real, answer text)`;
// A deletion of the person may have been faster, and nobody would find the tries of a delivery that is gone: its lock is
// waited for, by the update or by the look at the rows that were not updated.
const HELD = `
  held as (
    select id from changed
    union all
    select d.id
    from (select id from r except all select id from changed) as other
    cross join lateral (
      select id from delivery where id = other.id and id between $3 and $4 for key share
    ) as d
  )`;
const LOG = `
  insert into delivery_attempt (delivery_id, attempt, error_class, next_try_at, id, started_at, status,
    dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, answer)
  select id, attempt, "errorClass", case state when 'pending' then now() + "waitMs" * interval '1 millisecond' end,
    $5::uuid, to_timestamp("startedMs" / 1000), status,
    "dnsMs", "connectMs", "tlsMs", "firstByteMs", "totalMs", answer
  from r where id in (select id from held)`;
const recordAndLog = {
  name: 'record_and_log_outcomes',
  text: `with r as materialized (${TRIES}), changed as (${UPDATE} returning d.id), ${HELD} ${LOG}`,
};
const parkAndLog = {
  name: 'park_and_log_probe',
  text: `
  with r as materialized (${TRIES}), changed as (
    update delivery d set leased_until = null, error_class = r."errorClass", updated_at = now(),
      attempts = r.attempt, probes = d.probes + r.attempt - d.attempts, due_at = now() + $1 * interval '1 millisecond'
    from r where d.id = r.id and d.id between $3 and $4 and d.state = 'pending' and d.attempts <= r.attempt
    returning d.id
  ), ${HELD} ${LOG}`,
};

/**
 * Writes outcomes, of different deliveries, into the ledger and the tries into the log, with one statement for all.
 * @param graceMs how long after its next try's time a delivery is left to its job before the sweeper takes it
 */
export async function recordAndLogOutcomes(
  outcomes: readonly Outcome[],
  graceMs: number,
  tx: Tx,
): Promise<void> {
  // Tries are told apart by their delivery: those that are written together share an id.
  await tx.query(recordAndLog, [
    graceMs,
    JSON.stringify(outcomes.map(tried)),
    ...range(outcomes),
    newRowId(),
  ]);
}

/** The ledger alone: for when the log cannot be written, which must not cause a second delivery. */
export async function recordOutcomes(outcomes: readonly Outcome[], graceMs: number, tx: Tx): Promise<void> {
  await tx.query(recordOnly, [graceMs, JSON.stringify(outcomes.map(result)), ...range(outcomes)]);
}

/** Probes after which a delivery's tries are counted no further: the column ends at 32,767. */
const MAX_ATTEMPTS = 32_000;

/** Records a probe that failed. The delivery has as many tries left as before, and is due. */
export async function parkAndLogProbe(probed: Outcome, tx: Tx): Promise<void> {
  // When the next try is, nobody knows: a state that is not pending logs none.
  const parked = { ...tried(probed), state: 'parked', attempt: Math.min(probed.attempt, MAX_ATTEMPTS) };
  await tx.query(parkAndLog, [0, JSON.stringify([parked]), ...range([probed]), newRowId()]);
}

function range(outcomes: readonly Outcome[]): [string, string] {
  return rangeOf(outcomes.map(({ delivery }) => delivery.id));
}

function result({ delivery, state, attempt, errorClass, waitMs }: Outcome): object {
  return { id: delivery.id, state, attempt, errorClass: storable(errorClass), waitMs };
}

function tried(outcome: Outcome): object {
  const { delivery, state, attempt, errorClass, waitMs, startedAt, status, latency, totalMs, answer } =
    outcome;
  return {
    id: delivery.id,
    state,
    attempt,
    errorClass: storable(errorClass),
    waitMs,
    startedMs: startedAt.getTime(),
    status,
    dnsMs: latency.dnsMs,
    connectMs: latency.connectMs,
    tlsMs: latency.tlsMs,
    firstByteMs: latency.firstByteMs,
    totalMs,
    answer: storable(answer),
  };
}

/** PostgreSQL's text can hold neither NUL nor half a character, which is what a text cut to length may end with. */
function storable(text: string | undefined): string | undefined {
  return text?.replaceAll('\u0000', '').toWellFormed();
}
