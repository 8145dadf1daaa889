import { uuidv7 } from 'uuidv7';
import type { Tx } from '../../platform/database/database';
import type { Outcome } from './outcome';

// Only a pending delivery changes, and only by the try that follows the last one on record: whatever else comes
// (a second worker whose lease had run out) finds the delivery done. A success counts whenever it comes.
const UPDATE = `
  update delivery d set
    state = r.state, attempts = r.attempt, error_class = r.error_class, leased_until = null, updated_at = now(),
    due_at = case r.state when 'pending' then now() + (r.wait_ms + $1) * interval '1 millisecond' else d.due_at end
  from r
  where d.id = r.id and d.state = 'pending' and (d.attempts = r.attempt - 1 or r.state = 'delivered')`;
const RESULTS = `
  select * from unnest($2::uuid[], $3::text[], $4::smallint[], $5::text[], $6::int8[])
    as r(id, state, attempt, error_class, wait_ms)`;

const recordOnly = {
  name: 'record_outcomes',
  text: `with r as materialized (${RESULTS}) ${UPDATE}`,
};
const LOG = `
  insert into delivery_attempt (delivery_id, attempt, error_class, next_try_at, id, started_at, status,
    dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, answer)
  select l.delivery_id, l.attempt, l.error_class,
    case l.state when 'pending' then now() + l.wait_ms * interval '1 millisecond' end,
    l.id, l.started_at, l.status, l.dns_ms, l.connect_ms, l.tls_ms, l.first_byte_ms, l.total_ms, l.answer
  from unnest($2::uuid[], $3::text[], $4::smallint[], $5::text[], $6::int8[], $7::uuid[], $8::timestamptz[],
    $9::smallint[], $10::real[], $11::real[], $12::real[], $13::real[], $14::real[], $15::text[])
    as l(delivery_id, state, attempt, error_class, wait_ms, id, started_at, status,
      dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms, answer)`;
const recordAndLog = {
  name: 'record_and_log_outcomes',
  text: `with r as materialized (${RESULTS}), updated as (${UPDATE}) ${LOG}`,
};
const parkAndLog = {
  name: 'park_and_log_probe',
  text: `
  with r as materialized (${RESULTS}), parked as (
    update delivery d set leased_until = null, error_class = r.error_class, updated_at = now(),
      due_at = now() + $1 * interval '1 millisecond'
    from r where d.id = r.id and d.state = 'pending'
  ) ${LOG}`,
};

/**
 * Writes outcomes into the ledger and the tries into the log, with one statement for all.
 * @param graceMs how long after its next try's time a delivery is left to its job before the sweeper takes it
 */
export async function recordAndLogOutcomes(
  outcomes: readonly Outcome[],
  graceMs: number,
  tx: Tx,
): Promise<void> {
  await tx.query(recordAndLog, [graceMs, ...results(outcomes), ...tries(outcomes)]);
}

/** The ledger alone: for when the log cannot be written, which must not cause a second delivery. */
export async function recordOutcomes(outcomes: readonly Outcome[], graceMs: number, tx: Tx): Promise<void> {
  await tx.query(recordOnly, [graceMs, ...results(outcomes)]);
}

/** Logs a probe that failed. The delivery has as many tries left as before, and is due. */
export async function parkAndLogProbe(probed: Outcome, tx: Tx): Promise<void> {
  const [ids, , ...rest] = results([probed]);
  // When the next try is, nobody knows: a state that is not pending logs none.
  await tx.query(parkAndLog, [0, ids, ['parked'], ...rest, ...tries([probed])]);
}

function results(outcomes: readonly Outcome[]): unknown[] {
  return [
    outcomes.map(({ delivery }) => delivery.id),
    outcomes.map(({ state }) => state),
    outcomes.map(({ attempt }) => attempt),
    outcomes.map(({ errorClass }) => errorClass),
    outcomes.map(({ waitMs }) => waitMs),
  ];
}

function tries(outcomes: readonly Outcome[]): unknown[] {
  return [
    outcomes.map(() => uuidv7()),
    outcomes.map(({ startedAt }) => startedAt.toISOString()),
    outcomes.map(({ status }) => status),
    outcomes.map(({ latency }) => latency.dnsMs),
    outcomes.map(({ latency }) => latency.connectMs),
    outcomes.map(({ latency }) => latency.tlsMs),
    outcomes.map(({ latency }) => latency.firstByteMs),
    outcomes.map(({ totalMs }) => totalMs),
    // PostgreSQL's text cannot hold NUL.
    outcomes.map(({ answer }) => answer?.replaceAll('\u0000', '')),
  ];
}
