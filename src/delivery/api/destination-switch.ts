import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../../destinations/destinations.service';
import { AuditLog } from '../../platform/audit/audit-log';
import type { Actor } from '../../platform/auth/principal';
import { Database } from '../../platform/database/database';

// When it is switched on the trigger destination_switch_tr forgets its breaker, and why the service disabled it.
const switchSql = `
  update destination set enabled = $2, version = version + 1, updated_at = now() where id = $1 and enabled <> $2
  returning id`;

/** Pauses and resumes destinations. While one is paused its deliveries wait; nothing is lost. */
@Injectable()
export class DestinationSwitch {
  constructor(
    private readonly database: Database,
    private readonly destinations: DestinationsService,
    private readonly audit: AuditLog,
  ) {}

  /** @throws DestinationNotFoundError */
  pause(destinationId: string, actor: Actor): Promise<void> {
    return this.switch(destinationId, false, actor);
  }

  /** Also after the service disabled it. @throws DestinationNotFoundError */
  resume(destinationId: string, actor: Actor): Promise<void> {
    return this.switch(destinationId, true, actor);
  }

  private async switch(destinationId: string, enabled: boolean, actor: Actor): Promise<void> {
    await this.destinations.findOne(destinationId);
    await this.database.transaction(async (tx) => {
      const switched = await tx.query(switchSql, [destinationId, enabled]);
      if (switched.length === 0) return;
      await this.audit.record(tx, actor, {
        action: enabled ? 'resume' : 'pause',
        resource: 'destination',
        resourceId: destinationId,
        before: { enabled: !enabled },
        after: { enabled },
      });
    });
  }
}
