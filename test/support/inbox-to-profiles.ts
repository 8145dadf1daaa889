import type { CustomerEvent } from '../../src/events/customer-event';
import { EventStore } from '../../src/events/event-store';
import { Partitions } from '../../src/events/partitions/partitions';
import { type EventsWork, InboxTransactions } from '../../src/ingestion/processing/inbox-transactions';
import { InboxReader } from '../../src/ingestion/processing/inbox-reader';
import type { Config } from '../../src/platform/config/config';
import { Database, type Tx } from '../../src/platform/database/database';
import { Metrics } from '../../src/platform/metrics/metrics';
import { NoTracing } from '../../src/platform/tracing/tracing';
import { SecretBox } from '../../src/platform/secrets/secret-box';
import { ProfilesService } from '../../src/profiles/profiles.service';
import { ProfileLimits } from '../../src/profiles/state/profile-limits';
import { Pseudonyms } from '../../src/profiles/pseudonyms';
import { Suppressions } from '../../src/profiles/suppressions';
import { asStorable } from './any-event';

/** What there is between the acceptance of events and profiles, without a service around it. */
export class InboxToProfiles {
  readonly database: Database;
  readonly pseudonyms: Pseudonyms;
  readonly suppressions: Suppressions;
  readonly profiles: ProfilesService;
  readonly metrics = new Metrics();
  private readonly store: EventStore;
  private readonly transactions: InboxTransactions;

  constructor(config: Config) {
    this.database = new Database(config);
    this.pseudonyms = new Pseudonyms(this.database, new SecretBox(config));
    this.suppressions = new Suppressions(this.pseudonyms, config);
    this.profiles = new ProfilesService(new ProfileLimits(), this.suppressions);
    this.store = new EventStore(config, new Partitions(config));
    this.transactions = new InboxTransactions(
      this.database,
      new InboxReader(this.store, this.suppressions),
      new NoTracing(),
      this.metrics,
    );
  }

  /** Answers the inbox row of those that are new. */
  async accept(events: readonly CustomerEvent[]): Promise<string | undefined> {
    return (await this.store.store(events.map(asStorable))).inboxId;
  }

  /** Processes an inbox row; `afterwards` runs before the commit. */
  process(inboxId: string, afterwards?: (tx: Tx) => Promise<unknown>): Promise<unknown> {
    return this.processTogether([inboxId], afterwards);
  }

  /** Processes the inbox rows of one job. */
  processTogether(inboxIds: readonly string[], afterwards?: (tx: Tx) => Promise<unknown>): Promise<unknown> {
    return this.transactions.process(inboxIds, this.work(afterwards));
  }

  /** Processes inbox rows as those are that are at hand: without others, and without reading what was just stored. */
  processAtHand(inboxIds: readonly string[], afterwards?: (tx: Tx) => Promise<unknown>): Promise<unknown> {
    return this.transactions.process(inboxIds, this.work(afterwards), false);
  }

  /** How many rows wait. */
  async size(): Promise<number> {
    return (await this.database.query('select id from inbox')).length;
  }

  /** Processes all that waits. */
  async processAll(): Promise<void> {
    for (const { id } of await this.database.query<{ id: string }>('select id from inbox order by id')) {
      await this.process(id);
    }
  }

  async close(): Promise<void> {
    await this.database.close();
    await this.store.onApplicationShutdown();
  }

  private work(afterwards: ((tx: Tx) => Promise<unknown>) | undefined): EventsWork<void> {
    return async (events, tx, confirmed) => {
      await this.profiles.apply(events, tx, { confirmed });
      await afterwards?.(tx);
    };
  }
}
