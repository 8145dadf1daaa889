import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { isBatchConnector } from '../../connectors/connector';
import { ConnectorContexts } from '../../connectors/connector-contexts';
import { ConnectorRegistry } from '../../connectors/registry';
import { type ActiveDestination, ActiveDestinations } from '../../destinations/active-destinations';
import { DestinationNotFoundError } from '../../destinations/destination-problems';
import type { JsonObject } from '../../events/customer-event';
import { DestinationHealth } from '../breaker/health';
import type { ClaimedDelivery } from '../ledger/claimed-delivery';
import type { Outcome } from '../ledger/outcome';
import { Sender } from '../sender';
import type { DestinationTestDto } from './dto/destination-operations.dto';

const TEST_TIMEOUT_MS = 15_000;

/** Sends a sample event the way deliveries are sent: same code, same rules, but nothing in the ledger. */
@Injectable()
export class DestinationTester {
  constructor(
    private readonly destinations: ActiveDestinations,
    private readonly connectors: ConnectorRegistry,
    private readonly contexts: ConnectorContexts,
    private readonly sender: Sender,
    private readonly health: DestinationHealth,
  ) {}

  /**
   * Works on a destination that is paused, too, and leaves it so. When the destination was thought to be down and the
   * test succeeds, deliveries go on at once. @throws DestinationNotFoundError
   */
  async test(destinationId: string): Promise<DestinationTestDto> {
    await this.destinations.refresh();
    const destination = this.destinations.get(destinationId);
    if (destination === undefined) throw new DestinationNotFoundError(destinationId);
    const event = sampleEvent();
    const outcome = await this.try(destination, sampleDelivery(destinationId, event));
    if (outcome.state === 'delivered') await this.health.closeBreaker(destinationId);
    const { dnsMs = null, connectMs = null, tlsMs = null, firstByteMs = null } = outcome.latency;
    return {
      delivered: outcome.state === 'delivered',
      status: outcome.status ?? null,
      errorClass: outcome.errorClass ?? null,
      answer: outcome.answer ?? null,
      latency: { dnsMs, connectMs, tlsMs, firstByteMs, totalMs: outcome.totalMs },
      event,
    };
  }

  private async try(destination: ActiveDestination, delivery: ClaimedDelivery): Promise<Outcome> {
    const connector = this.connectors.get(destination.type);
    if (connector === undefined || !isBatchConnector(connector))
      return this.sender.try(delivery, destination);
    const startedAt = new Date();
    const start = performance.now();
    const context = this.contexts.contextOf({
      destinationId: destination.id,
      deadline: start + TEST_TIMEOUT_MS,
    });
    const verdict = await connector.checkAccess(destination.config, context).catch((error: unknown) => error);
    const tried = { delivery, attempt: 1, startedAt, totalMs: performance.now() - start };
    return { ...tried, ...this.sender.judge(delivery, verdict) };
  }
}

function sampleEvent(): JsonObject {
  const now = new Date().toISOString();
  return {
    type: 'track',
    event: 'Test Event',
    userId: 'test-user',
    messageId: `test-${uuidv7()}`,
    timestamp: now,
    receivedAt: now,
    properties: { test: true },
  };
}

function sampleDelivery(destinationId: string, event: JsonObject): ClaimedDelivery {
  return {
    id: uuidv7(),
    destinationId,
    attempts: 0,
    attemptLimit: 1,
    eventType: 'track',
    body: JSON.stringify(event),
    leaseEndsAt: Infinity,
  };
}
