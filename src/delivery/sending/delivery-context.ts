import { Injectable, Logger } from '@nestjs/common';
import { RetryableDeliveryError } from '../../connectors/delivery-error';
import type { Subject } from '../../events/customer-event';
import { Database, type Tx } from '../../platform/database/database';
import { personOf } from '../../profiles/reading/person-of';
import { readPerson } from '../../profiles/reading/read-person';
import { readSegmentsOfProfile } from '../../segments/reading/segments-of-profile';
import { keepContext, readContext } from '../ledger/recording/keep-context';

/** Of nobody: a sample, somebody who was erased, or a group. */
const NOBODY = JSON.stringify({ profile: null, segments: [] });

/**
 * JSON of `{ profile, segments }`, what a transformation may know of a person: as the API shows them, at this moment.
 */
export async function contextOfPerson(subject: Subject, tx: Tx): Promise<string> {
  const found = await readPerson(subject, tx);
  if (found === undefined) return NOBODY;
  const segments = await readSegmentsOfProfile(found.subject, tx);
  return JSON.stringify({ profile: personOf(found), segments });
}

/** What transformations know of the person beside the event: the same on each try, however the person has changed. */
@Injectable()
export class DeliveryContext {
  private readonly logger = new Logger(DeliveryContext.name);

  constructor(private readonly database: Database) {}

  /**
   * As it was at the first try that asked. Kept with the delivery before it is used, and deleted with it.
   * @throws RetryableDeliveryError when PostgreSQL is away
   */
  async keep(deliveryId: string): Promise<string> {
    try {
      const row = await readContext(deliveryId, this.database);
      if (row === undefined) return NOBODY;
      if (row.context !== null) return row.context;
      const now = await contextOfPerson(row.subject, this.database);
      return (await keepContext(deliveryId, now, this.database)) ?? NOBODY;
    } catch (error) {
      this.logger.warn(`What is known of a person could not be read, the delivery waits: ${String(error)}`);
      throw new RetryableDeliveryError('person_not_readable', { isOfEvent: true });
    }
  }

  /** The same for people to see: what is not kept yet is as it is now. */
  async show(deliveryId: string): Promise<string> {
    const row = await readContext(deliveryId, this.database);
    return row?.context ?? (row === undefined ? NOBODY : contextOfPerson(row.subject, this.database));
  }
}
