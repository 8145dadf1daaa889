import { Injectable } from '@nestjs/common';
import { type ActiveDestination, ActiveDestinations } from '../../destinations/active-destinations';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { SwitchedOn } from '../order/switched-on';
import { WorkerPresence } from '../presence/worker-presence';
import { cancelDeliveries } from './ending/cancel-deliveries';
import {
  type ClaimedRow,
  type Claimant,
  findFreeByIds,
  leaseByIds,
  leaseDue,
  leaseNext,
  takeByIds,
} from './claiming/claim-deliveries';
import { claimHeads } from './claiming/claim-heads';
import type { ClaimedDelivery } from './claiming/claimed-delivery';
import { deferDeliveries } from './waiting/defer-deliveries';
import { type Backlog, findBacklogs, findOrderedBacklogs } from './waiting/find-backlogs';
import { findHeads, type FoundHeads, NOBODY_YET } from './claiming/find-heads';
import { FreshDeliveries } from './claiming/fresh-deliveries';
import { type KnownTries, NO_TRIES_KNOWN } from './claiming/known-tries';
import { leaseMsFor } from './claiming/lease';
import type { DeliveryOutcome } from './recording/delivery-outcome';
import { PendingFrom } from './pending-from';
import { parkAndLogProbes } from './waiting/park-probe';
import { releaseDeliveries } from './waiting/release-deliveries';
import { type HeldDelivery, secureDeliveries } from './claiming/secure-deliveries';
import { prunedStatement } from './pruned-statement';

const UNTOUCHED_MARGIN_MS = 6_000;
/** A lease has to last for a try and so much longer, so that its outcome can be recorded. */
const LEASE_RESERVE_MS = 5_000;

const findPendingSql = prunedStatement(
  'find_pending_delivery',
  (fromId) =>
    `select from delivery where destination_id = $1 and state = 'pending' and id >= ${fromId} limit 1`,
);

/** Takes pending deliveries out of the ledger to work on, and gives them back. */
@Injectable()
export class Ledger {
  private readonly timeoutMs: number;
  private readonly leaseMs: number;
  private readonly graceMs: number;
  /** A delivery that is left to its job for longer than this needs no lease: the try will be over by then. */
  private readonly untouchedMs: number;
  /** Undefined where others deliver what this process writes. */
  private readonly fresh: FreshDeliveries | undefined;
  private readonly switchedOn: SwitchedOn;

  constructor(
    private readonly database: Database,
    private readonly destinations: ActiveDestinations,
    private readonly presence: WorkerPresence,
    private readonly pendingFrom: PendingFrom,
    config: Config,
  ) {
    this.switchedOn = new SwitchedOn(database);
    const { timeoutMs, graceMs } = config.delivery;
    this.timeoutMs = timeoutMs;
    this.graceMs = graceMs;
    this.leaseMs = leaseMsFor(timeoutMs);
    this.untouchedMs = timeoutMs + UNTOUCHED_MARGIN_MS;
    this.fresh = config.hasRole('worker') ? new FreshDeliveries() : undefined;
  }

  /** Notes deliveries that this process has written and committed, for when it gets their job. */
  keepFresh(deliveries: readonly ClaimedDelivery[]): void {
    this.fresh?.keep(deliveries);
  }

  /** Takes those of a job's deliveries that are pending and that no worker holds. */
  async claimDeliveries(ids: readonly string[], tries = NO_TRIES_KNOWN): Promise<ClaimedDelivery[]> {
    const fresh = this.fresh?.takeFresh(ids, this.untouchedMs) ?? [];
    if (this.presence.isAlarmed)
      return this.runClaim(() => leaseByIds(this.claimant, ids, tries, this.database));
    const others = without(ids, fresh);
    if (others.length === 0) return fresh;
    const taken = await this.runClaim(() => takeByIds(others, tries, this.untouchedMs, this.database));
    const rest = without(others, taken);
    if (rest.length === 0) return [...fresh, ...taken];
    const leased = await this.runClaim(() => leaseByIds(this.claimant, rest, tries, this.database));
    return [...fresh, ...taken, ...leased];
  }

  /** Those of a job's deliveries that the claim has left out although no worker holds them, see {@link findFreeByIds}. */
  findPassedOver(ids: readonly string[], tries: KnownTries): Promise<string[]> {
    return findFreeByIds(this.claimant, ids, tries, this.database);
  }

  /**
   * Leases deliveries of a destination that are due, the longest due first.
   * @param dueFrom leaves out what was due earlier: where the last claim ended, so that no statement has to find a way
   * through all that was delivered since.
   */
  claimDue(destinationId: string, limit: number, dueFrom = '-infinity'): Promise<ClaimedDelivery[]> {
    const { earlyMs } = this.presence;
    const claim = { destinationId, limit, dueFrom, earlyMs, pendingFrom: this.pendingFrom.id };
    return this.runClaim(() => leaseDue(this.claimant, claim, this.database));
  }

  /** Leases the delivery that would be tried next, even when it is only due `withinMs` from now. */
  claimNext(destinationId: string, withinMs: number): Promise<ClaimedDelivery[]> {
    const claim = { destinationId, withinMs, graceMs: this.graceMs, pendingFrom: this.pendingFrom.id };
    return this.runClaim(() => leaseNext(this.claimant, claim, this.database));
  }

  /** Leases the first delivery of each of these people of a destination with an order, where it is free. */
  async claimHeads(destination: ActiveDestination, people: readonly string[]): Promise<ClaimedDelivery[]> {
    const { id: destinationId, order } = destination;
    const pendingFrom = this.pendingFrom.id;
    if (order === null || people.length === 0) return [];
    if (!(await this.switchedOn.hasBegun(destination, pendingFrom))) return [];
    const { maxWaitSeconds } = order;
    const claim = { destinationId, people, maxWaitSeconds, pendingFrom };
    return this.runClaim(() => claimHeads(this.claimant, claim, this.database));
  }

  /** The next people of a destination with an order of whom the head is free. @param after where the last look ended */
  async findHeads(destination: ActiveDestination, after = NOBODY_YET): Promise<FoundHeads> {
    const { id: destinationId, order } = destination;
    const pendingFrom = this.pendingFrom.id;
    if (order === null || !(await this.switchedOn.hasBegun(destination, pendingFrom))) return NO_HEADS;
    const search = { destinationId, after, maxWaitSeconds: order.maxWaitSeconds, pendingFrom };
    return findHeads(search, this.database);
  }

  /** Whether a worker may be gone, or jobs may be lost, so that deliveries may soon be due that nobody holds. */
  get isAlarmed(): boolean {
    return this.presence.isAlarmed;
  }

  /** Destinations for which something is due that no process holds, or waits in an order. */
  async findBacklogs(): Promise<Backlog[]> {
    const { lost, earlyMs } = this.presence;
    const pendingFrom = this.pendingFrom.id;
    const due = await findBacklogs({ leaseMs: this.leaseMs, lost, earlyMs, pendingFrom }, this.database);
    const known = new Set(due.map(({ id }) => id));
    const others = [...this.destinations.snapshot.values()].filter(
      ({ id, order }) => order !== null && !known.has(id),
    );
    if (others.length === 0) return due;
    const ids = others.map(({ id }) => id);
    return [...due, ...(await findOrderedBacklogs(ids, pendingFrom, this.database))];
  }

  /** Whether anything waits for the destination, however long it is put off. */
  async hasPending(destinationId: string): Promise<boolean> {
    return (await this.database.query(findPendingSql(this.pendingFrom.id), [destinationId])).length > 0;
  }

  /**
   * Leases what this process holds without a lease while some worker may be gone: another worker may be about to look
   * for free deliveries.
   */
  async secureIfAlarmed(held: () => readonly HeldDelivery[]): Promise<void> {
    if (this.presence.isAlarmed) await secureDeliveries(this.claimant, held(), this.database);
  }

  /** Whether the lease of a delivery lasts for a try that begins now. */
  lastsForATry({ leaseEndsAt }: ClaimedDelivery): boolean {
    return performance.now() + this.timeoutMs + LEASE_RESERVE_MS < leaseEndsAt;
  }

  /** Gives up leases; the deliveries are due for any worker. A lease that has ended may be another worker's by now. */
  async release(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const ids = claimed.filter(({ leaseEndsAt }) => performance.now() < leaseEndsAt).map(({ id }) => id);
    await this.orNoteLeft(releaseDeliveries(ids, this.presence.id, this.database));
  }

  /** Leaves deliveries to the backlog: they are due, and no job is about to take them. */
  async defer(ids: readonly string[], tries = NO_TRIES_KNOWN): Promise<void> {
    this.fresh?.drop(ids);
    await this.orNoteLeft(deferDeliveries(ids, this.database, tries));
  }

  /** Gives back a delivery with which a destination that is down was probed in vain. */
  async park(probed: DeliveryOutcome): Promise<void> {
    await this.orNoteLeft(parkAndLogProbes([probed], this.database));
  }

  /** Ends pending deliveries whose destination was deleted. */
  async cancel(ids: readonly string[]): Promise<void> {
    await cancelDeliveries(ids, this.database);
  }

  private get claimant(): Claimant {
    const { id, lost } = this.presence;
    return { leaseMs: this.leaseMs, workerId: id, lost };
  }

  private runClaim(claim: () => Promise<ClaimedRow[]>): Promise<ClaimedDelivery[]> {
    return this.orNoteLeft(this.claimRows(claim));
  }

  /** What is claimed and does not come to hand, or is not given back, stays leased. */
  private async orNoteLeft<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.presence.noteLeft();
      throw error;
    }
  }

  private async claimRows(claim: () => Promise<ClaimedRow[]>): Promise<ClaimedDelivery[]> {
    const start = performance.now();
    const rows = await claim();
    const version = rows[0]?.version;
    // The destinations as they are now: an edit, a pause or a rotated secret counts from the next try on.
    if (version !== undefined) await this.destinations.refresh(version);
    return rows.map((row) => claimedFrom(row, start));
  }
}

const NO_HEADS: FoundHeads = { people: [], reached: undefined };

function without(ids: readonly string[], deliveries: readonly ClaimedDelivery[]): readonly string[] {
  if (deliveries.length === 0) return ids;
  const taken = new Set(deliveries.map(({ id }) => id));
  return ids.filter((id) => !taken.has(id));
}

/** @param claimedAt by `performance.now()` */
function claimedFrom(row: ClaimedRow, claimedAt: number): ClaimedDelivery {
  return {
    id: row.id,
    destinationId: row.destination_id,
    attempts: row.attempts,
    attemptLimit: row.attempt_limit ?? undefined,
    probes: row.probes,
    dueAt: row.due_at,
    eventType: row.event_type,
    sourceId: row.source_id ?? undefined,
    body: row.body ?? undefined,
    traceparent: row.traceparent ?? undefined,
    person: row.person ?? undefined,
    leaseEndsAt: claimedAt + row.lease_ms,
  };
}
