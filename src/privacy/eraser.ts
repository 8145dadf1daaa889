import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { Deliveries } from '../delivery/deliveries';
import type { NewDeliveries } from '../delivery/delivery-writer';
import { deletionNotice } from '../delivery/new-notices';
import type { Subject } from '../events/customer-event';
import { anonymousSubject, userIdOf } from '../events/subject';
import type { Actor } from '../platform/auth/principal';
import { Database, type OpenTransaction, type Tx } from '../platform/database/database';
import { problem } from '../platform/http/problems/problem';
import { retryRaces } from '../platform/database/transactions/retry-races';
import { ProfileNotFoundError } from '../profiles/profile-problems';
import { Suppressions } from '../profiles/suppressions';
import type { ErasureDto } from './dto/erasure.dto';
import { BulkEraser } from './bulk-eraser';
import { erasePerson } from './erase-person';
import {
  beginErasure,
  endErasure,
  type ErasedParts,
  type Erasure,
  ErasureEndedError,
  NOTHING_ERASED,
} from './erasure-notes';
import { receiptOf, timeOfReceipt } from './erasure-receipt';
import { Family } from './family';
import { type ErasedRows, isHeld } from './held-of-people';
import { TooMuchHeldError } from './in-parts';
import { PrivacyTrail } from './privacy-trail';

/** A person who is too busy for so many is erased later, as what was left. */
const MAX_ROUNDS = 100;
const ROUND_PAUSE_MS = 100;

/** Nobody has to ask again: it is as with a process that ended in between. */
export class ErasureGoesOnError extends problem(
  503,
  'erasure_goes_on',
  'So much comes about the person that the deletion takes longer than a request may. It goes on by itself; a repetition waits for its receipt.',
) {
  override readonly retryAfterSeconds = 30;
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
    private readonly bulk: BulkEraser,
    private readonly suppressions: Suppressions,
    private readonly trail: PrivacyTrail,
    private readonly deliveries: Deliveries,
  ) {}

  /**
   * By one transaction, where that can be short.
   * @throws ProfileNotFoundError when nothing is held about the person, unless future events are to be refused; always
   *   when it is a visitor whose id was given as a user's, for that would suppress another person.
   * @throws ErasureGoesOnError
   */
  async erase(subject: Subject, suppress: boolean, actor: Actor): Promise<ErasureDto> {
    const erasure = { subject, suppress, actor };
    await this.trail.prepare();
    try {
      return await this.eraseLast(erasure, { isNoted: false });
    } catch (error) {
      if (!(error instanceof TooMuchHeldError)) throw error;
    }
    const earlier = await this.trail.lastReceipt(subject, this.database);
    await beginErasure(erasure, this.database);
    try {
      return await this.goOn(erasure);
    } catch (error) {
      if (!(error instanceof ErasureEndedError)) throw error;
    }
    // Whoever was faster has the answer to both.
    const receipt = await this.trail.lastReceipt(subject, this.database);
    if (receipt === undefined || receipt.receiptId === earlier?.receiptId)
      throw new ProfileNotFoundError(subject);
    return receipt;
  }

  /** Goes on with an erasure that another process has left. */
  async resume(left: Erasure): Promise<void> {
    await this.trail.prepare();
    try {
      await this.goOn(left);
    } catch (error) {
      // Somebody has erased the person in the meantime.
      if (!(error instanceof ErasureEndedError || error instanceof ProfileNotFoundError)) throw error;
    }
  }

  /**
   * As often as too much comes meanwhile, all but the last rows are deleted in parts before the last transaction.
   * @throws ErasureEndedError, ErasureGoesOnError
   */
  private async goOn(erasure: Erasure): Promise<ErasureDto> {
    for (let round = 1; ; round += 1) {
      await this.bulk.eraseParts(erasure.subject);
      try {
        return await this.eraseLast(erasure, { isNoted: true });
      } catch (error) {
        if (!(error instanceof TooMuchHeldError)) throw error;
      }
      if (round === MAX_ROUNDS) throw new ErasureGoesOnError();
      // Only workers get through what waits and tells of ever other ids.
      await delay(ROUND_PAUSE_MS);
    }
  }

  private async eraseLast(erasure: Erasure, { isNoted }: { readonly isNoted: boolean }): Promise<ErasureDto> {
    try {
      // Each further try finds the ids that the one before did not know of.
      const { receipt, made } = await retryRaces(() =>
        this.database.transaction(async (tx) => {
          await this.bulk.demandLittle(erasure.subject, tx);
          return this.eraseAtOnce(erasure, isNoted, tx);
        }),
      );
      await this.deliveries.enqueue(made);
      return receipt;
    } catch (error) {
      if (error instanceof ProfileNotFoundError) await endErasure(erasure.subject, this.database);
      throw error;
    }
  }

  private async eraseAtOnce(
    { subject, actor, ...asked }: Erasure,
    isNoted: boolean,
    tx: OpenTransaction,
  ): Promise<Erased> {
    const { subjects, ids, erased } = await erasePerson(subject, this.family, tx);
    const note = await endErasure(subject, tx);
    if (isNoted && note === undefined) throw new ErasureEndedError();
    const before = note ?? { ...NOTHING_ERASED, suppress: false };
    const suppress = asked.suppress || before.suppress;
    const deleted = addErased(erased, before);
    if (deleted.deliveries + deleted.events + deleted.others + deleted.identities === 0) {
      await this.demandUnknown(subject, suppress, tx);
    }
    const receiptId = uuidv7();
    if (suppress) await this.suppressions.add(subjects, receiptId, tx);
    await this.suppressions.noteErased(subjects, tx);
    const notice = deletionNotice(subject, ids, timeOfReceipt(receiptId));
    const { destinations, made } = await this.deliveries.announce([notice], tx);
    const audited = { receiptId, suppressed: suppress, deleted, notifiedDestinations: destinations };
    const pseudonym = await this.trail.record('erase', { subject, after: audited }, actor, tx);
    return { receipt: receiptOf(audited, pseudonym), made };
  }

  /** Nothing is held about the subject: lets only unknown people pass who are to be suppressed. */
  private async demandUnknown(subject: Subject, suppress: boolean, tx: Tx): Promise<void> {
    const userId = userIdOf(subject);
    const isVisitor = userId !== undefined && (await isHeld([anonymousSubject(userId)], tx));
    if (isVisitor || !suppress) throw new ProfileNotFoundError(subject, isVisitor);
  }
}

/** What the last transaction deleted, and the parts before it. */
function addErased(last: ErasedRows, { deliveries, events, others }: ErasedParts): ErasedRows {
  return {
    ...last,
    deliveries: last.deliveries + deliveries,
    events: last.events + events,
    others: last.others + others,
  };
}
