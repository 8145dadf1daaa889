import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { keepErasuresOut } from '../events/erasure-gate';
import {
  anyUnscreenedSql,
  dropScreened,
  passScreened,
  takeUnscreened,
  type UnscreenedEvent,
} from '../events/rejected/screen-rejected-events';
import { Lookout, type Watch } from '../platform/background/lookout';
import { Database, type Tx } from '../platform/database/database';
import { Suppressions } from '../profiles/suppressions';

const EVENTS_AT_ONCE = 500;

/**
 * Looks at whom the events name that were not accepted, and deletes those of people who are suppressed, or were erased
 * while the events waited in memory. What writes them down cannot tell: it opens no secret, and so knows no pseudonym.
 */
@Injectable()
export class RejectionScreen implements OnModuleDestroy {
  private readonly logger = new Logger(RejectionScreen.name);
  private readonly watch: Watch;

  constructor(
    private readonly database: Database,
    private readonly suppressions: Suppressions,
    lookout: Lookout,
  ) {
    this.watch = lookout.watch<boolean>({
      sql: anyUnscreenedSql,
      act: async (isAny) => isAny && this.screenEvents(),
      report: (error) => this.logger.debug(`Rejected events could not be screened: ${String(error)}`),
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.watch.stop();
  }

  private async screenEvents(): Promise<void> {
    let screened: number;
    do {
      screened = await this.database.transaction((tx) => this.screenSome(tx));
    } while (screened === EVENTS_AT_ONCE && !this.watch.stopping);
  }

  private async screenSome(tx: Tx): Promise<number> {
    await keepErasuresOut(tx);
    const events = await takeUnscreened(EVENTS_AT_ONCE, tx);
    const refused = new Set(await this.suppressions.findRefused(events, tx));
    const idsOf = (some: readonly UnscreenedEvent[]): string[] => some.map(({ id }) => id);
    await dropScreened(idsOf(events.filter((event) => refused.has(event))), tx);
    await passScreened(idsOf(events.filter((event) => !refused.has(event))), tx);
    return events.length;
  }
}
