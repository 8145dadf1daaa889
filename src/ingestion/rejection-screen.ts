import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { keepErasuresOut } from '../events/erasure-gate';
import { rejectedScreening } from '../events/rejected/screen-rejected-events';
import type { Screening } from '../events/unstored/screening';
import { Lookout, type Watch } from '../platform/background/lookout';
import { Database, type Tx } from '../platform/database/database';
import { Suppressions } from '../profiles/suppressions';
import { quarantinedScreening } from '../tracking-plans/quarantine/screen-quarantined-events';

const EVENTS_AT_ONCE = 500;
const SCREENINGS = [rejectedScreening, quarantinedScreening];

/**
 * Looks at whom the events name that were rejected or are quarantined, and deletes those of people who are suppressed,
 * and those that name people who were erased while the events waited in memory. What writes them down cannot tell: it
 * opens no secret, and so knows no pseudonym.
 */
@Injectable()
export class RejectionScreen implements OnModuleDestroy {
  private readonly logger = new Logger(RejectionScreen.name);
  private readonly watches: readonly Watch[];

  constructor(
    private readonly database: Database,
    private readonly suppressions: Suppressions,
    lookout: Lookout,
  ) {
    this.watches = SCREENINGS.map((screening) => {
      const watch: Watch = lookout.watch<boolean>({
        sql: screening.anyUnscreenedSql,
        act: async (isAny) => isAny && this.screenEvents(screening, watch),
        report: (error) => this.logger.debug(`Events could not be screened: ${String(error)}`),
      });
      return watch;
    });
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all(this.watches.map((watch) => watch.stop()));
  }

  private async screenEvents(screening: Screening, watch: Watch): Promise<void> {
    let screened: number;
    do {
      screened = await this.database.transaction((tx) => this.screenSome(screening, tx));
    } while (screened === EVENTS_AT_ONCE && !watch.stopping);
  }

  private async screenSome(screening: Screening, tx: Tx): Promise<number> {
    await keepErasuresOut(tx);
    const events = await screening.takeUnscreened(EVENTS_AT_ONCE, tx);
    const refused = new Set(await this.suppressions.findRefused(events, tx));
    const [dropped, passed] = [true, false].map((isRefused) =>
      events.filter((event) => refused.has(event) === isRefused).map(({ id }) => id),
    );
    if (dropped !== undefined && dropped.length > 0) await screening.dropScreened(dropped, tx);
    if (passed !== undefined && passed.length > 0) await screening.passScreened(passed, tx);
    return events.length;
  }
}
