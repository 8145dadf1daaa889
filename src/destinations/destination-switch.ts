import { Injectable } from '@nestjs/common';
import { Not } from 'typeorm';
import { AuditLog } from '../platform/audit/audit-log';
import type { Actor } from '../platform/auth/principal';
import { DestinationRepository } from './destination.repository';

/** Pauses and resumes destinations. While one is paused its deliveries wait; nothing is lost. */
@Injectable()
export class DestinationSwitch {
  constructor(
    private readonly destinations: DestinationRepository,
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
    await this.destinations.demand(destinationId);
    await this.destinations.change(async (destinations, tx) => {
      const { affected } = await destinations.update(
        { id: destinationId, enabled: Not(enabled) },
        { enabled, version: () => 'version + 1', ...(enabled ? { disabledReason: null } : {}) },
      );
      if (affected === 0) return;
      await this.destinations.tellSwitched(destinationId, enabled, tx);
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
