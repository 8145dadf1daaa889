import { Injectable } from '@nestjs/common';
import { type BatchConnector, isBatchConnector } from '../connectors/connector';
import { ConnectorRegistry } from '../connectors/registry';
import { type ActiveDestination, ActiveDestinations } from '../destinations/active-destinations';

/**
 * How deliveries travel from this process: one by one, in batches, or not at all while their connector is not
 * installed. Then they wait in the ledger, and no try is spent on them.
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

  /** Whether a lane has the destination's deliveries. Of a deleted one it claims them to cancel them. */
  goByLane(destinationId: string): boolean {
    const destination = this.destination(destinationId);
    return destination === undefined || this.goOneByOne(destination);
  }

  goOneByOne({ type }: ActiveDestination): boolean {
    const connector = this.connectors.get(type);
    return connector !== undefined && !isBatchConnector(connector);
  }

  /** Undefined when the destination's deliveries do not travel in batches from here. */
  batchConnectorOf({ type }: ActiveDestination): BatchConnector | undefined {
    const connector = this.connectors.get(type);
    return connector !== undefined && isBatchConnector(connector) ? connector : undefined;
  }
}
