import { Injectable, Logger } from '@nestjs/common';
import type { ErrorClass } from '../../connectors/error-classes';
import { ActiveDestinations } from '../../destinations/active-destinations';
import { countDestinationChangeSql } from '../../destinations/destination-change';
import { AuditLog } from '../../platform/audit/audit-log';
import { theService } from '../../platform/auth/principal';
import { Database } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { NotDelivered } from '../ledger/recording/delivery-outcome';
import { findUntransformed } from '../stats/find-untransformed';

const lockSql = prepared('lock_destination_to_disable')`
  select from destination where id = $1 and enabled for update`;
// What a receiver said before the destination was resumed, or changed, is no reason to disable it: it may have another
// address since. One that was never changed had no other, however soon after its creation the try was.
const disableSql = prepared('disable_destination')`
  with disabled as (
    update destination d set enabled = false, disabled_reason = $2, version = version + 1, updated_at = now()
    where id = $1 and enabled and (version = 1 or updated_at <= now() - $3 * interval '1 millisecond') and not exists (
      select from destination_health
      where destination_id = d.id and switched_at > now() - $3 * interval '1 millisecond')
    returning id
  )
  insert into destination_health (destination_id, switched_at, disabled_reason, disabled_at)
  select id, now(), $2, now() from disabled
  on conflict (destination_id) do update
    set switched_at = excluded.switched_at, disabled_reason = excluded.disabled_reason, disabled_at = excluded.disabled_at
  returning 1`;

/** What an operator has to mend: until then each event would be a dead letter. */
const UNTRANSFORMED: ErrorClass = 'transformation_failed';
/** A destination that was resumed since then is left alone. */
const UNTRANSFORMED_MS = 5 * 60_000;

/** Why a destination is disabled, and as of when. */
interface Cause {
  readonly reason: string;
  readonly startedAt: Date;
  /** For the audit. */
  readonly by: string;
  readonly deliveryId?: string;
}

/**
 * Disables destinations whose receivers say that nothing can be delivered to them any more, and those whose
 * transformation fails.
 */
@Injectable()
export class DestinationDisabler {
  private readonly logger = new Logger(DestinationDisabler.name);

  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly destinations: ActiveDestinations,
  ) {}

  /** Never rejects: where it did not succeed, the next delivery brings the same answer. */
  async follow({ delivery, errorClass: reason, startedAt }: NotDelivered): Promise<void> {
    const { destinationId, id: deliveryId } = delivery;
    try {
      const by = `delivery ${deliveryId}`;
      if (!(await this.disable(destinationId, { reason, startedAt, by, deliveryId }))) return;
      const name = this.nameOf(destinationId);
      this.logger.warn(
        'A destination is disabled: its receiver said that nothing can be delivered any more. Events are kept for it until it is resumed',
        { destinationId, name, reason, deliveryId },
      );
      await this.destinations.refresh();
    } catch (error) {
      this.logger.error(`Not disabled: ${String(error)}`);
    }
  }

  /** Of those whose transformation has failed for most of their events for minutes. @throws when PostgreSQL is away */
  async disableUntransformed(): Promise<void> {
    const startedAt = new Date(Date.now() - UNTRANSFORMED_MS);
    const cause = { reason: UNTRANSFORMED, startedAt, by: 'transformation failures' };
    for (const destinationId of await findUntransformed(this.database)) {
      if (!(await this.disable(destinationId, cause))) continue;
      this.logger.warn(
        'A destination is disabled: its transformation has failed for most of its events for five minutes. Events are kept for it until it is resumed',
        { destinationId, name: this.nameOf(destinationId) },
      );
      await this.destinations.refresh();
    }
  }

  private nameOf(destinationId: string): string {
    return this.destinations.get(destinationId)?.name ?? destinationId;
  }

  /** Returns whether that changed anything. */
  private disable(destinationId: string, { reason, startedAt, by, deliveryId }: Cause): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      if ((await tx.query(lockSql, [destinationId])).length === 0) return false;
      // Only now: PostgreSQL's `now()` is behind, and waiting for a connection must not make the try younger than it
      // is.
      const agoMs = Date.now() - startedAt.getTime();
      const disabled = await tx.query(disableSql, [destinationId, reason, agoMs]);
      if (disabled.length === 0) return false;
      await tx.query(countDestinationChangeSql);
      await this.audit.record(tx, theService(by), {
        action: 'disable',
        resource: 'destination',
        resourceId: destinationId,
        before: { enabled: true },
        after: { enabled: false, disabledReason: reason, ...(deliveryId && { deliveryId }) },
      });
      return true;
    });
  }
}
