import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { JsonObject } from '../events/customer-event';
import { Lookout, type Watch } from '../platform/background/lookout';
import { Database, type Tx } from '../platform/database/database';
import { SecretBox } from '../platform/secrets/secret-box';
import type { ParsedFilter } from './filter/filter';
import { parseFilter } from './filter/parse-filter';
import { compileMapping, type MapEvent } from './mapping/compile-mapping';
import { openMapping } from './mapping/seal-mapping';

/** A destination as routing and sending need it, secrets opened. */
export interface ActiveDestination {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /** The connector's settings, secrets included. */
  readonly config: JsonObject;
  /** The secrets before the last rotation, until {@link previousSecretsUntil}. */
  readonly previousSecrets: JsonObject | undefined;
  /** Milliseconds since 1970. */
  readonly previousSecretsUntil: number;
  /** Events are routed to a destination that is not enabled, too; they wait until it is. */
  readonly enabled: boolean;
  readonly sources: readonly string[] | null;
  readonly filter: ParsedFilter | 'unreadable' | undefined;
  /** Undefined is the event as received. */
  readonly mapEvent: MapEvent | undefined;
  readonly notices: readonly string[];
  /** Requests per second that it gets at most; undefined is no limit. */
  readonly perSecond: number | undefined;
}

interface DestinationRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly config: JsonObject;
  readonly secrets_sealed: string;
  readonly previous_secrets_sealed: string | null;
  readonly previous_secrets_until: Date | null;
  readonly enabled: boolean;
  readonly sources: string[] | null;
  readonly filter: JsonObject | null;
  readonly mapping: JsonObject | null;
  readonly notices: string[];
  readonly rate_limit: { readonly perSecond: number } | null;
  /** Another with each change of the row. */
  readonly row_version: string;
}

interface Opened {
  readonly rowVersion: string;
  readonly destination: ActiveDestination;
}

const readVersion = { name: 'destination_version', text: 'select version::text from destination_change' };
// One statement, one snapshot: the number belongs to exactly these rows, each of which has a version of its own besides.
const readAllSql = `
  select (select version::text from destination_change) as change_number, d.xmin::text as row_version, d.*
  from (select null) one left join destination d on true
  order by d.id`;

/**
 * All destinations in memory, for every worker. A change anywhere raises a number in the database; a worker that is about
 * to act on a destination compares it (`refresh`), and a look every second keeps idle processes up to date.
 */
@Injectable()
export class ActiveDestinations implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ActiveDestinations.name);
  private destinations: ReadonlyMap<string, ActiveDestination> = new Map();
  private opened: ReadonlyMap<string, Opened> = new Map();
  private version = '';
  private refreshing: Promise<void> | undefined;
  private readonly watch: Watch;

  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
    lookout: Lookout,
  ) {
    this.watch = lookout.watch<string>({
      sql: readVersion.text,
      act: (version) => this.refresh(version),
      // Code that acts on a destination refreshes first.
      report: (error) => this.logger.debug(`Destinations could not be read: ${String(error)}`),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
  }

  onModuleDestroy(): void {
    void this.watch.stop();
  }

  /** As of the last refresh; another map after each change. */
  get snapshot(): ReadonlyMap<string, ActiveDestination> {
    return this.destinations;
  }

  /** As of the last refresh. */
  get(destinationId: string): ActiveDestination | undefined {
    return this.destinations.get(destinationId);
  }

  /**
   * Makes the destinations in memory those of the database, as of now or of `version` when the caller has read that
   * number with its own rows.
   * @param tx the transaction of the caller, if it is in one: reads over its connection only
   */
  async refresh(version?: string, tx?: Tx): Promise<void> {
    const wanted =
      version ?? (await (tx ?? this.database).query<{ version: string }>(readVersion))[0]?.version;
    // A caller that has read an older number than this process knows is served too: not each of many changes means a load.
    const isKnown = (): boolean =>
      version === undefined ? wanted === this.version : Number(version) <= Number(this.version);
    if (isKnown()) return;
    // A caller that holds a connection does not wait for others who may be waiting for one.
    if (tx !== undefined) return this.load(tx);
    // A load that is under way may have begun before the change.
    while (this.refreshing !== undefined) await this.refreshing;
    if (isKnown()) return;
    this.refreshing = this.load().finally(() => (this.refreshing = undefined));
    await this.refreshing;
  }

  private async load(tx: Tx = this.database): Promise<void> {
    const rows = await tx.query<DestinationRow & { change_number: string }>(readAllSql);
    const version = rows[0]?.change_number ?? '';
    if (Number(version) < Number(this.version)) return; // Overtaken by a load that began later.
    const opened = rows.filter(({ id }) => id !== null).map((row) => this.openChanged(row));
    this.opened = new Map(opened.map((one) => [one.destination.id, one]));
    this.destinations = new Map(opened.map(({ destination }) => [destination.id, destination]));
    this.version = version;
  }

  /** Opening thousands of destinations again because one was changed would hold up everything else. */
  private openChanged(row: DestinationRow): Opened {
    const known = this.opened.get(row.id);
    if (known?.rowVersion === row.row_version) return known;
    return { rowVersion: row.row_version, destination: this.open(row) };
  }

  private open(row: DestinationRow): ActiveDestination {
    const { id, name, type, enabled, sources, filter, mapping, notices } = row;
    const previous = row.previous_secrets_sealed;
    return {
      id,
      name,
      type,
      enabled,
      sources,
      filter: filter === null ? undefined : this.readFilter(id, filter),
      mapEvent: mapping === null ? undefined : compileMapping(openMapping(mapping, this.secretBox)),
      notices,
      perSecond: row.rate_limit?.perSecond,
      config: { ...row.config, ...this.openSecrets(row.secrets_sealed) },
      previousSecrets: previous === null ? undefined : this.openSecrets(previous),
      previousSecretsUntil: row.previous_secrets_until?.getTime() ?? 0,
    };
  }

  private readFilter(destinationId: string, filter: JsonObject): ParsedFilter | 'unreadable' {
    const result = parseFilter(filter);
    if (result.ok) return result.filter;
    this.logger.error(
      `Destination ${destinationId} gets no events, its filter is not valid: ${JSON.stringify(result.errors)}`,
    );
    return 'unreadable';
  }

  private openSecrets(sealed: string): JsonObject {
    return JSON.parse(this.secretBox.open(sealed)) as JsonObject;
  }
}
