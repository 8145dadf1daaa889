import { Injectable } from '@nestjs/common';
import type { Client } from 'pg';
import { BackgroundWork } from '../../platform/background/background-work';
import { Config } from '../../platform/config/config';
import { lockKeySql } from '../../platform/database/transactions/advisory-lock';
import { withOwnConnection } from '../../platform/database/connections/own-connection';
import { dropIndexSql, makeIndexSql, readTraitIndexes, traitIndexOf } from './trait-index';

/** From the boot to the first round, and to the next one while another process is at it or a round has failed. */
const INTERVAL_MS = 5_000;

const keySql = lockKeySql("'trait indexes'");

/**
 * After the boot, makes the indexes of the traits in `CDP_INDEXED_TRAITS` and drops those of others, beside all else
 * that goes on; one process at a time. Making one reads all profiles once.
 */
@Injectable()
export class TraitIndexes extends BackgroundWork {
  protected readonly loop = this.every(
    INTERVAL_MS,
    () => this.maintainOnce(),
    'Indexes of traits could not be made, next try later',
  );

  constructor(private readonly config: Config) {
    super();
  }

  /**
   * Whether all is as it was asked for; not while another process is at it.
   * @throws when PostgreSQL is away, or refuses an index.
   */
  async maintain(): Promise<boolean> {
    return withOwnConnection(this.config.directDatabaseUrl, 'cdp-service-indexes', async (client) => {
      const { rows } = await client.query<{ mine: boolean }>(
        `select pg_try_advisory_lock(${keySql}) as mine`,
      );
      if (rows[0]?.mine !== true) return false;
      await this.change(client);
      return true;
    });
  }

  private async maintainOnce(): Promise<void> {
    if (await this.maintain()) void this.loop.stop();
  }

  private async change(client: Client): Promise<void> {
    const wanted = this.config.profiles.indexedTraits.map(traitIndexOf);
    const there = await readTraitIndexes(client);
    // One that is not complete was left by a process that ended: nobody else makes any now.
    const dropped = there.filter(
      ({ name, isComplete }) => !isComplete || !wanted.some((index) => index.name === name),
    );
    const made = wanted.filter(({ name }) => !there.some((one) => one.name === name && one.isComplete));
    if (made.length + dropped.length === 0) return;
    for (const { name } of dropped) await client.query(dropIndexSql(name));
    for (const index of made) await client.query(makeIndexSql(index));
    if (made.length > 0) await client.query('analyze profile');
    const traits = made.map(({ trait }) => trait);
    this.logger.log({ msg: 'Indexes of traits changed', made: traits, dropped: dropped.length });
  }
}
