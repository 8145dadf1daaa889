import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Deliveries } from '../delivery/deliveries';
import type { NewDeliveries } from '../delivery/delivery-writer';
import { eraseDeliveries } from '../delivery/ledger/ending/erase-deliveries';
import { deletionNotice } from '../delivery/new-notices';
import type { Subject } from '../events/customer-event';
import { forgetEvents } from '../events/forget-events';
import { anonymousSubject, userIdOf } from '../events/subject';
import type { Actor } from '../platform/auth/principal';
import { Database, type OpenTransaction, type Tx } from '../platform/database/database';
import { retryRaces } from '../platform/database/retry-races';
import { ProfileNotFoundError } from '../profiles/profile-problems';
import { Suppressions } from '../profiles/suppressions';
import type { ErasureDto } from './dto/erasure.dto';
import { erasePerson } from './erase-person';
import { Family } from './family';
import { inParts } from './in-parts';
import { isHeld } from './is-held';
import { PrivacyTrail } from './privacy-trail';

/** What is to be done. */
interface Erasure {
  readonly subject: Subject;
  readonly suppress: boolean;
  readonly actor: Actor;
  /** What was deleted beforehand. */
  readonly before: { readonly deliveries: number; readonly events: number };
}

interface Erased {
  readonly receipt: ErasureDto;
  /** To be enqueued after the commit. */
  readonly made: NewDeliveries;
}

/** Deletes people. */
@Injectable()
export class Eraser {
  constructor(
    private readonly database: Database,
    private readonly family: Family,
    private readonly suppressions: Suppressions,
    private readonly trail: PrivacyTrail,
    private readonly deliveries: Deliveries,
  ) {}

  /**
   * @throws ProfileNotFoundError when nothing is held about the person, unless future events are to be refused; always
   *   when it is a visitor whose id was given as a user's, for that would suppress another person.
   */
  async erase(subject: Subject, suppress: boolean, actor: Actor): Promise<ErasureDto> {
    await this.trail.prepare();
    const erasure = { subject, suppress, actor, before: await this.eraseBulk(subject) };
    // Each further try finds the ids that the one before did not know of.
    const { receipt, made } = await retryRaces(() =>
      this.database.transaction((tx) => this.eraseAtOnce(erasure, tx)),
    );
    await this.deliveries.enqueue(made);
    return receipt;
  }

  /**
   * What there may be much of, in parts, while no lock is held. What comes in the meantime goes with the rest.
   * Deliveries first: they are sent from the events.
   */
  private async eraseBulk(subject: Subject): Promise<Erasure['before']> {
    const subjects = await this.family.of(subject, this.database);
    const part = (erase: (tx: Tx) => Promise<number>): Promise<number> =>
      retryRaces(() => this.database.transaction(erase));
    return {
      deliveries: await inParts((limit) => part((tx) => eraseDeliveries(subjects, limit, tx))),
      events: await inParts((limit) => part((tx) => forgetEvents(subjects, limit, tx))),
    };
  }

  private async eraseAtOnce(erasure: Erasure, tx: OpenTransaction): Promise<Erased> {
    const { subject, suppress, actor, before } = erasure;
    const { subjects, ids, erased, rejected } = await erasePerson(subject, this.family, tx);
    const deliveries = before.deliveries + (await inParts((limit) => eraseDeliveries(subjects, limit, tx)));
    const events = before.events + erased.events;
    if (events + rejected + erased.identities === 0) await this.demandUnknown(subject, suppress, tx);
    const receiptId = uuidv7();
    if (suppress) await this.suppressions.add(subjects, receiptId, tx);
    await this.suppressions.noteErased(subjects, tx);
    const deletedAt = new Date().toISOString();
    const notice = deletionNotice(subject, ids, deletedAt);
    const { destinations, made } = await this.deliveries.announce([notice], tx);
    const facts = {
      suppressed: suppress,
      deleted: { ...erased, events, deliveries },
      notifiedDestinations: destinations,
    };
    const pseudonym = await this.trail.record(
      'erase',
      { subject, after: { receiptId, ...facts } },
      actor,
      tx,
    );
    return { receipt: { receiptId, deletedAt, pseudonym, ...facts }, made };
  }

  /** Nothing is held about the subject: lets only unknown people pass who are to be suppressed. */
  private async demandUnknown(subject: Subject, suppress: boolean, tx: Tx): Promise<void> {
    const userId = userIdOf(subject);
    const isVisitor = userId !== undefined && (await isHeld([anonymousSubject(userId)], tx));
    if (isVisitor || !suppress) throw new ProfileNotFoundError(subject, isVisitor);
  }
}
