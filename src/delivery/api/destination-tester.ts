import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { DestinationNotFoundError } from '../../destinations/destination-problems';
import type { JsonObject } from '../../events/customer-event';
import { AuditLog } from '../../platform/audit/audit-log';
import type { Actor } from '../../platform/auth/principal';
import { Database } from '../../platform/database/database';
import { hurryBatches } from '../ledger/batches/hurry-batches';
import { DestinationHealth } from '../breaker/destination-health';
import type { ClaimedDelivery } from '../ledger/claiming/claimed-delivery';
import { AttemptLatencyDto } from './dto/delivery-attempt.dto';
import { Sender } from '../sending/sender';
import type { DestinationTestDto } from './dto/destination-operations.dto';

/** Sends a sample event the way deliveries are sent: same code, same rules, but nothing in the ledger. */
@Injectable()
export class DestinationTester {
  constructor(
    private readonly destinations: ActiveDestinations,
    private readonly sender: Sender,
    private readonly health: DestinationHealth,
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Works on a destination that is paused, too, and leaves it so. When the destination was thought to be down and the
   * test succeeds, deliveries go on at once. @throws DestinationNotFoundError
   */
  async test(destinationId: string, actor: Actor): Promise<DestinationTestDto> {
    await this.destinations.refresh();
    const destination = this.destinations.get(destinationId);
    if (destination === undefined) throw new DestinationNotFoundError(destinationId);
    const event = sampleEvent();
    const outcome = await this.sender.test(sampleDelivery(destination.id, event), destination);
    const { status = null, errorClass = null, answer = null } = outcome;
    const delivered = outcome.state === 'delivered';
    if (delivered) await this.endOutage(destination.id);
    const after = { delivered, status, errorClass };
    const change = { action: 'test', resource: 'destination', resourceId: destination.id, after } as const;
    await this.audit.record(this.database, actor, change);
    return {
      delivered,
      status,
      errorClass,
      answer,
      latency: AttemptLatencyDto.from({ ...outcome.latency, totalMs: outcome.totalMs }),
      event,
    };
  }

  private async endOutage(destinationId: string): Promise<void> {
    await this.health.noteTest(destinationId);
    await hurryBatches(destinationId, this.database);
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
