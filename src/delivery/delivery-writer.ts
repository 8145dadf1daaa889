import { Injectable, Logger } from '@nestjs/common';
import type { ActiveDestination } from '../destinations/active-destinations';
import { payloadOf } from '../events/event-payload';
import { traceparentOf } from '../events/event-trace';
import { Config } from '../platform/config/config';
import type { OpenTransaction } from '../platform/database/database';
import { DestinationHealth } from './breaker/destination-health';
import { DeliveryModes } from './delivery-modes';
import { MAX_JOB_DELIVERIES, type NewChunk } from './first-tries';
import type { ClaimedDelivery } from './ledger/claiming/claimed-delivery';
import { insertDeliveries, type NewDelivery } from './ledger/insert-deliveries';
import { OrderedDeliveries } from './order/ordered-deliveries';
import type { Positions } from './order/positions';
import type { HeadHint } from './order/head-hints';
import { Router } from './routing/router';

/** Deliveries that were written, and are to be tried once that is committed. */
export interface NewDeliveries {
  readonly chunks: readonly NewChunk[];
  readonly heads: readonly HeadHint[];
}

/** Writes deliveries as their destinations need them: with a job, without one, or in an order. */
@Injectable()
export class DeliveryWriter {
  private readonly logger = new Logger(DeliveryWriter.name);
  private readonly graceMs: number;
  private readonly logsEverything: boolean;

  constructor(
    private readonly router: Router,
    private readonly health: DestinationHealth,
    private readonly modes: DeliveryModes,
    private readonly ordered: OrderedDeliveries,
    config: Config,
  ) {
    this.graceMs = config.delivery.graceMs;
    this.logsEverything = config.logsEverything;
  }

  /** @returns what is to be tried once the transaction has committed */
  insert(deliveries: readonly NewDelivery[], positions: Positions, tx: OpenTransaction): NewDeliveries {
    const byDestination = new Map<string, NewDelivery[]>();
    for (const delivery of deliveries) {
      const own = byDestination.get(delivery.destinationId);
      if (own === undefined) byDestination.set(delivery.destinationId, [delivery]);
      else own.push(delivery);
    }
    const withJob: NewDelivery[] = [];
    const withoutJob: NewDelivery[] = [];
    const chunks: NewChunk[] = [];
    const heads: HeadHint[] = [];
    for (const [destinationId, own] of byDestination) {
      const destination = this.router.destination(destinationId);
      if (destination !== undefined && this.modes.hasOrder(destination)) {
        heads.push(...this.ordered.insert(destination, own, positions, tx));
        continue;
      }
      const sendsNow = destination !== undefined && this.sendsNow(destination);
      (sendsNow ? withJob : withoutJob).push(...own);
      if (sendsNow) chunks.push(...this.chunksOf(destination, own));
    }
    insertDeliveries(withJob, this.graceMs, tx);
    // No job is about to come: they are due as soon as the destination may be sent to.
    insertDeliveries(withoutJob, 0, tx);
    if (this.logsEverything) this.log(deliveries);
    return { chunks, heads };
  }

  /** The transaction may still fail: then the event is routed again, to deliveries with other ids. */
  private log(deliveries: readonly NewDelivery[]): void {
    for (const { id: deliveryId, destinationId, event } of deliveries) {
      this.logger.debug('Event routed', { eventId: event.id, deliveryId, destinationId });
    }
  }

  /**
   * The deliveries of a destination that is paused or down, or whose connector is not installed, wait in PostgreSQL;
   * the queue stays small. Those of a destination that gets batches wait for theirs to fill up.
   */
  private sendsNow(destination: ActiveDestination): boolean {
    const { id, enabled } = destination;
    return enabled && this.modes.goOneByOne(destination) && !this.health.isOpen(id);
  }

  /** To be called before they are written, by which their grace begins. */
  private chunksOf({ id, name }: ActiveDestination, deliveries: readonly NewDelivery[]): NewChunk[] {
    const graceEndsAt = performance.now() + this.graceMs;
    const chunks: NewChunk[] = [];
    for (let start = 0; start < deliveries.length; start += MAX_JOB_DELIVERIES) {
      const own = deliveries.slice(start, start + MAX_JOB_DELIVERIES);
      chunks.push({
        destinationId: id,
        destinationName: name,
        deliveryIds: own.map((delivery) => delivery.id),
        fresh: own.flatMap((delivery) => freshOf(delivery, graceEndsAt) ?? []),
      });
    }
    return chunks;
  }
}

/** What a claim would say of a new delivery; undefined where its body is not at hand. */
function freshOf(
  { id, destinationId, event, payload }: NewDelivery,
  leaseEndsAt: number,
): ClaimedDelivery | undefined {
  const body = payload ?? payloadOf(event);
  if (body === undefined) return undefined;
  const { type: eventType, sourceId } = event;
  const traceparent = traceparentOf(event);
  return {
    id,
    destinationId,
    attempts: 0,
    attemptLimit: undefined,
    eventType,
    sourceId,
    body,
    traceparent,
    leaseEndsAt,
  };
}
