import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { Config } from '../../platform/config/config';
import { destinationExists } from '../../destinations/destination-conditions';
import { AuditLog } from '../../platform/audit/audit-log';
import type { AuditedAction } from '../../platform/audit/audited-actions';
import type { Actor } from '../../platform/auth/principal';
import { Database, type Tx } from '../../platform/database/database';
import { hurryBatchOf } from '../ledger/batches/hurry-batches';
import { BacklogJobs } from '../backlog-jobs';
import { DeadLetterQueue } from '../dead-letters/dead-letter-queue';
import { discardDeadLetter } from '../ledger/dead-letters/discard-dead-letters';
import { hurryDelivery } from '../ledger/waiting/hurry-deliveries';
import type { DeadKey } from '../ledger/dead-letters/read-dead-letters';
import { reopenDeadLetter } from '../ledger/dead-letters/reopen-dead-letters';
import {
  DeadLetterNotFoundError,
  DeliveryNotFoundError,
  DeliveryOverError,
  DestinationDeletedError,
} from './delivery-problems';

/** Deliveries that are due again. */
interface MadeDue {
  readonly destinationId: string;
  /** The letters of those that were dead. */
  readonly reopened: readonly DeadKey[];
}

/** What people may do to single deliveries. Workers are told of what is due. */
@Injectable()
export class DeliveryActions {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly letters: DeadLetterQueue,
    private readonly backlogs: BacklogJobs,
    private readonly config: Config,
  ) {}

  /**
   * Tries a pending delivery now, or a dead one again.
   * @throws DeliveryNotFoundError, DeliveryOverError, DestinationDeletedError
   */
  async retry(deliveryId: string, actor: Actor): Promise<void> {
    const due = await this.database.transaction(async (tx) => {
      const delivery = await findDelivery(deliveryId, tx);
      if (delivery === undefined) throw new DeliveryNotFoundError(deliveryId);
      const { state, destinationId, hasDestination } = delivery;
      if (state !== 'dead' && state !== 'pending') throw new DeliveryOverError(deliveryId, state);
      // What is pending is cancelled within seconds.
      if (!hasDestination) throw new DestinationDeletedError(deliveryId);
      await this.record(tx, actor, { action: 'retry', deliveryId, before: { state, destinationId } });
      const reopened = state === 'dead' ? await this.reopen(deliveryId, tx) : undefined;
      if (reopened === undefined) await this.hurry(deliveryId, tx);
      return reopened ?? { destinationId, reopened: [] };
    });
    this.goOnWith(due);
  }

  /** @throws DeadLetterNotFoundError, DestinationDeletedError */
  async replay(deliveryId: string, actor: Actor): Promise<void> {
    const due = await this.database.transaction(async (tx) => {
      const replayed = isUUID(deliveryId) ? await this.reopen(deliveryId, tx) : undefined;
      if (replayed === undefined) throw new DeadLetterNotFoundError(deliveryId);
      const { destinationId } = replayed;
      await this.record(tx, actor, {
        action: 'replay',
        deliveryId,
        before: { state: 'dead', destinationId },
      });
      return replayed;
    });
    this.goOnWith(due);
  }

  /** @throws DeadLetterNotFoundError */
  async discard(deliveryId: string, actor: Actor): Promise<void> {
    const discarded = await this.database.transaction(async (tx) => {
      const found = isUUID(deliveryId) ? await discardDeadLetter(deliveryId, tx) : undefined;
      if (found === undefined) throw new DeadLetterNotFoundError(deliveryId);
      const { destinationId } = found;
      await this.record(tx, actor, {
        action: 'discard',
        deliveryId,
        before: { state: 'dead', destinationId },
      });
      return found;
    });
    void this.letters.withdraw([discarded]);
  }

  private goOnWith({ destinationId, reopened }: MadeDue): void {
    void this.letters.withdraw(reopened);
    void this.backlogs.tell(destinationId);
  }

  /** Undefined when it was not dead. @throws DestinationDeletedError */
  private async reopen(deliveryId: string, tx: Tx): Promise<MadeDue | undefined> {
    const replay = await reopenDeadLetter(deliveryId, this.config.delivery, tx);
    if (replay.result === 'destination_deleted') throw new DestinationDeletedError(deliveryId);
    if (replay.result !== 'replayed') return undefined;
    const { destinationId, attempts } = replay;
    return { destinationId, reopened: [{ deliveryId, attempts }] };
  }

  private async hurry(deliveryId: string, tx: Tx): Promise<void> {
    await hurryDelivery(deliveryId, this.config.delivery.graceMs, tx);
    await hurryBatchOf(deliveryId, tx);
  }

  private record(
    tx: Tx,
    actor: Actor,
    { action, deliveryId, before }: { action: AuditedAction<'delivery'>; deliveryId: string; before: object },
  ): Promise<void> {
    return this.audit.record(tx, actor, { action, resource: 'delivery', resourceId: deliveryId, before });
  }
}

interface FoundDelivery {
  readonly state: string;
  readonly destinationId: string;
  /** Whether it was not deleted. */
  readonly hasDestination: boolean;
}

async function findDelivery(deliveryId: string, tx: Tx): Promise<FoundDelivery | undefined> {
  if (!isUUID(deliveryId)) return undefined;
  const [row] = await tx.query<FoundDelivery>(
    `select state, destination_id as "destinationId", ${destinationExists('destination_id')} as "hasDestination"
     from delivery where id = $1`,
    [deliveryId],
  );
  return row;
}
