import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { userIdOf, userSubject } from '../events/subject';
import type { Subject } from '../events/customer-event';
import { AuditLog } from '../platform/audit/audit-log';
import type { Actor } from '../platform/auth/principal';
import { Database, type Tx } from '../platform/database/database';
import { JobDispatcher } from '../platform/queues/job-dispatcher';
import { ProfileNotFoundError } from '../profiles/profile-problems';
import { Suppressions } from '../profiles/suppressions';
import type { ErasureDto } from './dto/erasure.dto';
import { eraseDeliveries, type Erased, erasePerson, familyOf } from './erase-person';
import { tellDestinations } from './tell-destinations';

const LOWEST_ID = '00000000-0000-0000-0000-000000000000';
/** A worker that is at the person's events when the deletion begins may still be writing deliveries. */
const OVERLAP_MS = 3_600_000;

/** Deletes people. */
@Injectable()
export class Eraser {
  constructor(
    private readonly database: Database,
    private readonly suppressions: Suppressions,
    private readonly audit: AuditLog,
    private readonly dispatcher: JobDispatcher,
  ) {}

  /** @throws ProfileNotFoundError when nothing is known about the user, unless he is to be suppressed. */
  async erase(userId: string, suppress: boolean, actor: Actor): Promise<ErasureDto> {
    const begunMs = Date.now();
    const subject = userSubject(userId);
    // The long walk first, while nobody waits for it.
    const before = await eraseDeliveries(await familyOf(subject, this.database), LOWEST_ID, this.database);
    const receipt = { receiptId: uuidv7(), deletedAt: new Date().toISOString(), suppressed: suppress };
    const { erased, notifiedDestinations, deadEventIds } = await this.database.transaction(async (tx) => {
      const erased = await this.eraseAtOnce(subject, suppress, lowestIdAt(begunMs - OVERLAP_MS), tx);
      const notifiedDestinations = await tellDestinations({ userId, at: receipt.deletedAt }, tx);
      await this.audit.record({ query: (sql, params) => tx.query(sql, params) }, actor, {
        action: 'erase',
        resource: 'profile',
        // The receipt, not the user: the log would remember him.
        resourceId: receipt.receiptId,
        after: { suppressed: suppress },
      });
      return { ...erased, notifiedDestinations };
    });
    await this.removeDeadLetters(deadEventIds);
    return {
      ...receipt,
      deleted: { ...erased, deliveries: erased.deliveries + before },
      notifiedDestinations,
    };
  }

  private async eraseAtOnce(
    subject: Subject,
    suppress: boolean,
    deliveriesFromId: string,
    tx: Tx,
  ): Promise<{ erased: Erased; deadEventIds: string[] }> {
    const subjects = await familyOf(subject, tx);
    const dead = await tx.query<{ event_id: string }>(
      'select event_id from dead_event where subject = any($1::text[])',
      [subjects],
    );
    const erased = await erasePerson(subjects, tx);
    const deliveries = await eraseDeliveries(subjects, deliveriesFromId, tx);
    if (erased.events + erased.identities === 0 && !suppress) {
      throw new ProfileNotFoundError(userIdOf(subject) ?? '');
    }
    if (suppress) await this.suppressions.add(subjects, tx);
    return { erased: { ...erased, deliveries }, deadEventIds: dead.map(({ event_id }) => event_id) };
  }

  private async removeDeadLetters(eventIds: readonly string[]): Promise<void> {
    const queue = this.dispatcher.queue('dead-letters');
    for (const eventId of eventIds) await queue.remove(`event-${eventId}`);
  }
}

/** The lowest UUIDv7 of a millisecond. */
function lowestIdAt(ms: number): string {
  const hex = ms.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
