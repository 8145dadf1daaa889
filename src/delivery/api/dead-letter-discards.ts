import { Injectable } from '@nestjs/common';
import { DestinationsService } from '../../destinations/destinations.service';
import { HIGHEST_ID, lowestId } from '../../events/partitions/partition-plan';
import { AuditLog } from '../../platform/audit/audit-log';
import type { Actor } from '../../platform/auth/principal';
import { Database } from '../../platform/database/database';
import { DeadLetterQueue } from '../dead-letters/dead-letter-queue';
import { discardAll } from '../dead-letters/discard-all';
import { countDeadLettersIn, type DeadRange } from '../ledger/dead-letters/read-dead-letters';
import type { DiscardedDeadLettersDto } from './dto/replay.dto';

/** Which dead letters of a destination, which may be deleted. */
type AskedLetters = Pick<DeadRange, 'destinationId' | 'reason'>;

/** Discards of all dead letters of a destination, as people ask for them. */
@Injectable()
export class DeadLetterDiscards {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
    private readonly letters: DeadLetterQueue,
    private readonly destinations: DestinationsService,
  ) {}

  /**
   * See {@link discardAll}. Should it fail midway, the entry of the audit says how many are discarded.
   * @throws DestinationNotFoundError when there is neither one of this id nor such a dead letter of it
   */
  async discard(asked: AskedLetters, actor: Actor): Promise<DiscardedDeadLettersDto> {
    const { destinationId, reason } = asked;
    if (!(await this.hasAny(asked))) await this.destinations.findOne(destinationId);
    const change = {
      action: 'discard_dead_letters',
      resource: 'destination',
      resourceId: destinationId,
      after: { reason, discarded: 0 },
    } as const;
    const amend = await this.audit.recordInParts(this.database, actor, change);
    const discarded = await discardAll(asked, (total, tx) => amend({ discarded: total }, tx), this.database);
    void this.letters.withdrawOver();
    return { discarded };
  }

  private async hasAny(asked: AskedLetters): Promise<boolean> {
    const range = { ...asked, fromId: lowestId(0), toId: HIGHEST_ID };
    return (await countDeadLettersIn(range, 1, this.database)) > 0;
  }
}
