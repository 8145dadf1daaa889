import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log';
import type { Actor } from '../../platform/auth/principal';
import { Database } from '../../platform/database/database';
import { BacklogJobs } from '../backlog-jobs';
import { type BulkRetry, BulkRetries } from '../retries/bulk-retries';
import { Waits } from '../stats/waits';
import type { RetriedDeliveriesDto } from './dto/retry-deliveries.dto';

/** Retries of all that waits for a destination, as people ask for them. */
@Injectable()
export class DestinationRetries {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly retries: BulkRetries,
    private readonly backlogs: BacklogJobs,
    private readonly waits: Waits,
  ) {}

  /** See {@link BulkRetries.hurryAll}. Should it fail midway, the entry of the audit says how many deliveries are due. */
  async retry(asked: BulkRetry, actor: Actor): Promise<RetriedDeliveriesDto> {
    const { destinationId, reason } = asked;
    const amend = await this.audit.recordInParts(this.database, actor, {
      action: 'retry_deliveries',
      resource: 'destination',
      resourceId: destinationId,
      after: { reason, deliveries: 0 },
    });
    const deliveries = await this.retries.hurryAll(asked, (total, tx) => amend({ deliveries: total }, tx));
    if (deliveries > 0) void this.backlogs.tell(destinationId);
    const waits = await this.waits.ofDestinations([destinationId]);
    return { deliveries, waitsFor: waits.get(destinationId) ?? null };
  }
}
