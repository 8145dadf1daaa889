import { Injectable } from '@nestjs/common';
import type { ActiveDestination } from '../../destinations/active-destinations';
import { type TracedSpan, Tracing } from '../../platform/tracing/tracing';
import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import type { DeliveryOutcome } from '../ledger/recording/delivery-outcome';

/** What the span of a batch says of its deliveries. */
export interface TracedBatch {
  /** Of some of them. */
  readonly traceparents: ReadonlySet<string>;
  readonly pending: number;
}

/** The spans of tries. Deliveries whose event came without a trace have none. */
@Injectable()
export class DeliverySpans {
  constructor(private readonly tracing: Tracing) {}

  /** Of one try, in the trace of the request that brought the event. */
  startTry(delivery: ClaimedDelivery, { id, type }: ActiveDestination): TracedSpan | undefined {
    if (delivery.traceparent === undefined) return undefined;
    return this.tracing.start({
      name: `deliver ${type}`,
      kind: 'client',
      parent: delivery.traceparent,
      attributes: {
        'cdp.delivery.id': delivery.id,
        'cdp.destination.id': id,
        'cdp.delivery.attempt': delivery.attempts + 1,
      },
    });
  }

  endTry(span: TracedSpan, { state, status, errorClass }: DeliveryOutcome): void {
    span.end({
      attributes: {
        'cdp.delivery.state': state,
        ...(status === undefined ? {} : { 'http.response.status_code': status }),
      },
      error: errorClass,
    });
  }

  /** Of a batch: a trace of its own, with links to those of its deliveries. */
  startBatch(
    batch: { readonly id: string; readonly destinationId: string },
    { traceparents, pending }: TracedBatch,
  ): TracedSpan | undefined {
    if (traceparents.size === 0) return undefined;
    return this.tracing.start({
      name: 'deliver batch',
      kind: 'client',
      links: [...traceparents],
      attributes: {
        'cdp.batch.id': batch.id,
        'cdp.destination.id': batch.destinationId,
        'messaging.batch.message_count': pending,
      },
    });
  }
}
