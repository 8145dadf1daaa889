import { Injectable } from '@nestjs/common';
import { BackgroundWork } from '../../platform/background/background-work';
import { Database } from '../../platform/database/database';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { prepared } from '../../platform/database/statements/prepared';
import { cleanNotices } from '../ledger/ending/clean-notices';
import { advancePendingFrom } from '../ledger/pending-from';
import { pruneMinutes } from '../stats/prune-minutes';

const INTERVAL_MS = 15_000;
/** One statement forgets this many counts at most, and is repeated while there are more. */
const GROUP = 5_000;

// Whoever comes first after a minute does it. The time of another one may be a little ahead of that of this statement,
// which has waited for it; one that is far ahead was written while PostgreSQL's clock was.
const claimRoundSql = prepared('claim_round_of_ledger_upkeep')`
  update delivery_upkeep set done_at = now()
  where done_at not between now() - interval '1 minute' and now() + interval '1 minute'
  returning reopened::text`;

/** What is done to the ledger once a minute, by one of all workers. */
@Injectable()
export class LedgerUpkeep extends BackgroundWork {
  protected readonly loop = this.every(
    INTERVAL_MS,
    () => this.tidyIfDue(),
    'The upkeep of the ledger did not succeed',
  );

  constructor(private readonly database: Database) {
    super();
  }

  /** One round, if nobody has done one within a minute; returns whether. @throws when PostgreSQL is away. */
  async tidyIfDue(): Promise<boolean> {
    const [round] = await this.database.query<{ reopened: string }>(claimRoundSql);
    if (round === undefined) return false;
    // First, because statements wait for it; after a standstill there may be millions of minutes to forget.
    await advancePendingFrom(round.reopened, databaseNowMs(), this.database);
    await cleanNotices(this.database);
    while ((await pruneMinutes(GROUP, this.database)) === GROUP && !this.loop.stopping);
    return true;
  }
}
