import { Injectable } from '@nestjs/common';
import { type BatchConnector, type Connector, sendsBatches } from '../connectors/connector';
import { ConnectorRegistry } from '../connectors/registry';
import { type ActiveDestination, ActiveDestinations } from '../destinations/active-destinations';

/** A destination whose deliveries travel in batches. */
export interface BatchedDestination {
  readonly destination: ActiveDestination;
  readonly connector: BatchConnector;
  /** Whether each batch is one request, with the limits of one; else it is an upload. */
  readonly isRequest: boolean;
}

/** Undefined when the connector sends the destination's events one by one. */
export function asBatched(
  destination: ActiveDestination,
  connector: Connector,
): BatchedDestination | undefined {
  if (!sendsBatches(connector, destination.config)) return undefined;
  return { destination, connector, isRequest: connector.batchIsRequest === true };
}

/**
 * How deliveries travel from this process: one by one, in batches, or not at all while their connector is not installed
 * or their destination's secrets are not readable. Then they wait in the ledger, and no try is spent on them.
 */
@Injectable()
export class DeliveryModes {
  constructor(
    private readonly destinations: ActiveDestinations,
    private readonly connectors: ConnectorRegistry,
  ) {}

  destination(destinationId: string): ActiveDestination | undefined {
    return this.destinations.get(destinationId);
  }

  /** Whether this process has all it takes. Of a deleted destination, what is left is cancelled. */
  canGo(destinationId: string): boolean {
    const destination = this.destination(destinationId);
    return destination === undefined || this.connectorFor(destination) !== undefined;
  }

  /** Whether a lane has the destination's deliveries. Of a deleted one it claims them to cancel them. */
  goByLane(destinationId: string): boolean {
    const destination = this.destination(destinationId);
    return destination === undefined || this.goOneByOne(destination);
  }

  goOneByOne(destination: ActiveDestination): boolean {
    const connector = this.connectorFor(destination);
    return connector !== undefined && !sendsBatches(connector, destination.config);
  }

  /** Undefined when the destination's deliveries do not travel in batches from here. */
  batched(destinationId: string): BatchedDestination | undefined {
    const destination = this.destination(destinationId);
    const connector = destination && this.connectorFor(destination);
    return destination && connector && asBatched(destination, connector);
  }

  /** Whether its deliveries have an order: those of a batch have none. */
  hasOrder({ id, order }: ActiveDestination): boolean {
    return order !== null && this.batched(id) === undefined;
  }

  /** All destinations with an order. */
  allOrdered(): ActiveDestination[] {
    return [...this.destinations.snapshot.values()].filter((destination) => this.hasOrder(destination));
  }

  /** All destinations without one that may have had it. */
  onceOrdered(): ActiveDestination[] {
    return [...this.destinations.snapshot.values()].filter(
      (destination) =>
        (destination.order !== null || destination.orderedAtMs > 0) && !this.hasOrder(destination),
    );
  }

  /** All destinations to which events go one by one. */
  allOneByOne(): ActiveDestination[] {
    return [...this.destinations.snapshot.values()].filter((destination) => this.goOneByOne(destination));
  }

  /** All destinations to which batches go. */
  allBatched(): BatchedDestination[] {
    return [...this.destinations.snapshot.keys()].flatMap((id) => this.batched(id) ?? []);
  }

  private connectorFor({ type, secretsReadable }: ActiveDestination): Connector | undefined {
    return secretsReadable ? this.connectors.get(type) : undefined;
  }
}
