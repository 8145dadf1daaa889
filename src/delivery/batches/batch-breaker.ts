import { Injectable, Logger } from '@nestjs/common';
import { type BatchConnector, isBatchConnector } from '../../connectors/connector';
import { ConnectorContexts } from '../../connectors/connector-contexts';
import { PermanentDeliveryError, RetryableDeliveryError } from '../../connectors/delivery-error';
import { ConnectorRegistry } from '../../connectors/registry';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { Database } from '../../platform/database/database';
import { DestinationHealth } from '../breaker/destination-health';
import { hurryBatches } from '../ledger/hurry-batches';

/** A batch is thousands of events and each of its tries counts for all of them: a second failure in a row is enough. */
const FAILURES_TO_OPEN = 2;
const PROBE_TIMEOUT_MS = 30_000;

/** Keeps the batches of a destination that is down waiting, without tries, until its connector says that it is back. */
@Injectable()
export class BatchBreaker {
  private readonly logger = new Logger(BatchBreaker.name);
  private readonly failuresInRow = new Map<string, number>();

  constructor(
    private readonly destinations: ActiveDestinations,
    private readonly connectors: ConnectorRegistry,
    private readonly contexts: ConnectorContexts,
    private readonly health: DestinationHealth,
    private readonly database: Database,
  ) {}

  /** Whether the destination's deliveries travel in batches of a connector that is installed. */
  sends(destinationId: string): boolean {
    return this.connectorOf(destinationId) !== undefined;
  }

  isOpen(destinationId: string): boolean {
    return this.health.isOpen(destinationId);
  }

  /** Takes in what a try of a batch came to: what the connector answered or threw. */
  async judge(destinationId: string, verdict: unknown): Promise<void> {
    if (!(verdict instanceof Error)) {
      this.failuresInRow.delete(destinationId);
      return;
    }
    const failures = (this.failuresInRow.get(destinationId) ?? 0) + 1;
    this.failuresInRow.set(destinationId, failures);
    if (failures < FAILURES_TO_OPEN || this.isOpen(destinationId)) return;
    const { errorClass, retryAfterMs } = failureOf(verdict);
    this.logger.warn('A destination is down: its batches wait', { destinationId, reason: errorClass });
    await this.health.openBreaker(destinationId, errorClass, retryAfterMs);
  }

  /** Checks the access to a destination that is down, and has its batches sent when that works. */
  async probe(destinationId: string): Promise<void> {
    const destination = this.destinations.get(destinationId);
    const connector = this.connectorOf(destinationId);
    if (destination === undefined || connector === undefined) return;
    const context = this.contexts.contextOf({
      destinationId,
      deadline: performance.now() + PROBE_TIMEOUT_MS,
    });
    try {
      await connector.checkAccess(destination.config, context);
    } catch {
      return; // Still down: the next probe is later.
    }
    await this.health.closeBreaker(destinationId);
    this.failuresInRow.delete(destinationId);
    await hurryBatches(destinationId, this.database);
  }

  private connectorOf(destinationId: string): BatchConnector | undefined {
    const destination = this.destinations.get(destinationId);
    const connector = destination && this.connectors.get(destination.type);
    return connector !== undefined && isBatchConnector(connector) ? connector : undefined;
  }
}

function failureOf(error: Error): { readonly errorClass: string; readonly retryAfterMs?: number } {
  const isKnown = error instanceof RetryableDeliveryError || error instanceof PermanentDeliveryError;
  return isKnown
    ? { errorClass: error.errorClass, retryAfterMs: error.details.retryAfterMs }
    : { errorClass: 'failed' };
}
