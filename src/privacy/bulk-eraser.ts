import { Injectable } from '@nestjs/common';
import type { CustomerEvent, Subject } from '../events/customer-event';
import { countWaitingEvents, forgetWaitingPart } from '../events/inbox/waiting-events';
import { LOWEST_ID } from '../platform/database/statements/export-part';
import { Database, type Tx } from '../platform/database/database';
import { retryRaces } from '../platform/database/transactions/retry-races';
import { linksOf } from '../profiles/identity/links';
import { type ErasedParts, notePart, NOTHING_ERASED } from './erasure-notes';
import { Family } from './family';
import { HELD_MUCH } from './held-of-people';
import { type CountRows, inParts, LAST_ROWS, TooMuchHeldError } from './in-parts';

/**
 * Whose rows go. Anew for each part: another erasure may have ended what made somebody one of the person's ids, and
 * what came of him since then is his.
 */
type FindSubjects = (tx: Tx) => Promise<readonly Subject[]>;

/** Deletes what there may be much of about a person, in transactions of some ten milliseconds that nobody waits for. */
@Injectable()
export class BulkEraser {
  constructor(
    private readonly database: Database,
    private readonly family: Family,
  ) {}

  /** Looks whether more is held than the last transaction may delete. @throws TooMuchHeldError */
  async demandLittle(subject: Subject, tx: Tx): Promise<void> {
    // Before those events are read for whom the person will be.
    await demandFew([countWaitingEvents], await this.family.known(subject, tx), tx);
    const counts = [countWaitingEvents, ...HELD_MUCH.flatMap(({ count }) => count ?? [])];
    await demandFew(counts, await this.family.of(subject, tx), tx);
  }

  /**
   * Leaves what comes meanwhile. Each part and what is noted of it are one transaction, so that another process goes on
   * where this one was.
   * @throws ErasureEndedError
   */
  async eraseParts(subject: Subject): Promise<void> {
    await this.forgetWaiting(subject, (tx) => this.family.known(subject, tx));
    await this.forgetWaiting(subject, (tx) => this.family.of(subject, tx));
    for (const { counted, forgetPart } of HELD_MUCH) {
      await inParts((limit) =>
        this.part(subject, async (tx) => {
          const forgotten = await forgetPart(await this.family.of(subject, tx), limit, tx);
          return { result: forgotten, erased: { ...NOTHING_ERASED, [counted]: forgotten } };
        }),
      );
    }
  }

  /**
   * Of events that no worker has processed, those stay which tell first that somebody is the person, or that an alias
   * tells: whom the person has become by them, the last transaction has to find.
   */
  private async forgetWaiting(subject: Subject, findSubjects: FindSubjects): Promise<void> {
    let told: ReadonlySet<string> = new Set();
    for (let after: string | undefined = LOWEST_ID; after !== undefined;) {
      const from: string = after;
      const next = await this.part(subject, async (tx) => {
        // Anew with each try: none of what a lost one has seen is forgotten.
        const toldNow = new Set(told);
        const subjects = await findSubjects(tx);
        const { events, last } = await forgetWaitingPart(subjects, from, tellsAnew(toldNow), tx);
        return { result: { last, toldNow }, erased: { ...NOTHING_ERASED, events } };
      });
      told = next.toldNow;
      after = next.last;
    }
  }

  private part<Result>(
    subject: Subject,
    erase: (tx: Tx) => Promise<{ readonly result: Result; readonly erased: ErasedParts }>,
  ): Promise<Result> {
    return retryRaces(() =>
      this.database.transaction(async (tx) => {
        const { result, erased } = await erase(tx);
        await notePart(subject, erased, tx);
        return result;
      }),
    );
  }
}

/** @throws TooMuchHeldError */
async function demandFew(counts: readonly CountRows[], subjects: readonly Subject[], tx: Tx): Promise<void> {
  const found = await Promise.all(counts.map((count) => count(subjects, LAST_ROWS, tx)));
  if (found.includes(LAST_ROWS)) throw new TooMuchHeldError();
}

/** Whether an event says of two ids what none before it has said. What an alias says counts each time. */
function tellsAnew(told: Set<string>): (event: CustomerEvent) => boolean {
  return (event) => {
    const links = linksOf(event);
    const isNew = links.some(({ from, into }) => !told.has(`${from}\n${into}`));
    for (const { from, into } of links) told.add(`${from}\n${into}`);
    return isNew || links.some(({ rule }) => rule === 'always');
  };
}
