import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { mergeSecrets } from '../connectors/secret-fields';
import type { JsonObject } from '../events/customer-event';
import { LiveCopy } from '../platform/background/live-copy';
import { Lookout } from '../platform/background/lookout';
import { Database, type Tx } from '../platform/database/database';
import { NOT_READABLE, SecretBox } from '../platform/secrets/secret-box';
import type { DeliveryOrder } from './destination.entity';
import type { ParsedFilter } from './filter/filter';
import { parseFilter } from './filter/parse-filter';
import { compileMapping, type MapEvent } from './mapping/compile-mapping';
import { openPrevious, type PreviousSecrets, type StoredPrevious } from './previous-secrets';
import type { SandboxedCode } from '../transformations/sandbox/sandbox-result';
import { transformationCodeSql } from '../transformations/transformation-code';
import { openMapping } from './mapping/seal-mapping';
import { openSecrets } from './open-secrets';

/** A destination as routing and sending need it, secrets opened. */
export interface ActiveDestination {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  /**
   * False where a secret is sealed with a key that this process lacks: `config` has none then, and nothing may be sent.
   */
  readonly secretsReadable: boolean;
  /** The connector's settings, secrets included. */
  readonly config: JsonObject;
  /** What receivers may still check against, the newest first, each as long as it says. */
  readonly previousSecrets: readonly PreviousSecrets[];
  /** Events are routed to a destination that is not enabled, too; they wait until it is. */
  readonly enabled: boolean;
  readonly sources: readonly string[] | null;
  readonly filter: ParsedFilter | 'unreadable' | undefined;
  /** What changes events before the mapping. */
  readonly transformation: SandboxedCode | undefined;
  /** Undefined is the event as it was before. */
  readonly mapEvent: MapEvent | undefined;
  readonly notices: readonly string[];
  /** The computed traits whose changes it is told of, where it asks for them; null is all. */
  readonly noticeTraits: readonly string[] | null;
  /** Requests per second that it gets at most; undefined is no limit. */
  readonly perSecond: number | undefined;
  /** Null is none. */
  readonly order: DeliveryOrder | null;
  /** When it was last given an order, or rid of it, while it was there already; milliseconds since 1970. */
  readonly orderedAtMs: number;
}

interface DestinationRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly config: JsonObject;
  readonly secrets_sealed: string;
  readonly previous_secrets_sealed: string | null;
  readonly previous_secrets_until: Date | null;
  readonly earlier_secrets_sealed: string | null;
  readonly enabled: boolean;
  readonly sources: string[] | null;
  readonly filter: JsonObject | null;
  readonly transformation: SandboxedCode | null;
  readonly mapping: JsonObject | null;
  readonly notices: string[];
  readonly notice_traits: string[] | null;
  readonly rate_limit: { readonly perSecond: number } | null;
  readonly ordering: DeliveryOrder | null;
  readonly ordered_at: Date | null;
  /** Another with each change of the row. */
  readonly row_version: string;
}

interface Opened {
  readonly rowVersion: string;
  readonly destination: ActiveDestination;
}

/** What of a destination is sealed at rest. */
type Unsealed = Pick<ActiveDestination, 'secretsReadable' | 'config' | 'previousSecrets' | 'mapEvent'>;

type Destinations = ReadonlyMap<string, ActiveDestination>;

/** All destinations in memory, for every worker. */
@Injectable()
export class ActiveDestinations implements OnApplicationBootstrap {
  private readonly logger = new Logger(ActiveDestinations.name);
  private opened: ReadonlyMap<string, Opened> = new Map();
  private readonly copy: LiveCopy<DestinationRow, Destinations>;

  constructor(
    database: Database,
    private readonly secretBox: SecretBox,
    lookout: Lookout,
  ) {
    const original = {
      name: 'destinations',
      versionSql: 'select version from destination_change',
      rowsSql: `
        select d.xmin::text as row_version, ${transformationCodeSql('d.transformation_id')} as transformation, d.*
        from destination d order by d.id`,
      build: (rows: readonly DestinationRow[]) => this.openAll(rows),
    };
    this.copy = new LiveCopy(original, database);
    // Code that acts on a destination refreshes first.
    this.copy.follow(lookout, (error) =>
      this.logger.debug(`Destinations could not be read: ${String(error)}`),
    );
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
  }

  /** As of the last refresh; another map after each change. */
  get snapshot(): Destinations {
    return this.copy.value;
  }

  /** As of the last refresh. */
  get(destinationId: string): ActiveDestination | undefined {
    return this.snapshot.get(destinationId);
  }

  /** See {@link LiveCopy.refresh}. */
  async refresh(version?: string, tx?: Tx): Promise<void> {
    await this.copy.refresh(version, tx);
  }

  private openAll(rows: readonly DestinationRow[]): Destinations {
    this.opened = new Map(rows.map((row) => [row.id, this.openChanged(row)]));
    return new Map([...this.opened].map(([id, { destination }]) => [id, destination]));
  }

  /** Opening thousands of destinations again because one was changed would hold up everything else. */
  private openChanged(row: DestinationRow): Opened {
    const known = this.opened.get(row.id);
    const rowVersion = `${row.row_version} ${row.transformation?.id}`;
    if (known?.rowVersion === rowVersion) return known;
    return { rowVersion, destination: this.open(row) };
  }

  private open(row: DestinationRow): ActiveDestination {
    const { id, name, type, enabled, sources, filter, notices } = row;
    return {
      id,
      name,
      type,
      enabled,
      sources,
      filter: filter === null ? undefined : this.readFilter(id, filter),
      transformation: row.transformation ?? undefined,
      notices,
      noticeTraits: row.notice_traits,
      perSecond: row.rate_limit?.perSecond,
      order: row.ordering,
      orderedAtMs: row.ordered_at?.getTime() ?? 0,
      ...this.unseal(row),
    };
  }

  /** What one destination is missing must not keep the others from being known. */
  private unseal({ id, name, ...row }: DestinationRow): Unsealed {
    const secrets = openSecrets(row.secrets_sealed, this.secretBox);
    const mapping = row.mapping === null ? null : openMapping(row.mapping, this.secretBox);
    if (secrets === undefined || mapping === undefined) {
      this.logger.error(`The secrets of destination "${name}" (${id}) ${NOT_READABLE}: its deliveries wait.`);
      const config = row.config;
      return { secretsReadable: false, config, previousSecrets: [], mapEvent: undefined };
    }
    return {
      secretsReadable: true,
      config: mergeSecrets(row.config, secrets),
      previousSecrets: openPrevious(storedIn(row), this.secretBox),
      mapEvent: mapping === null ? undefined : compileMapping(mapping),
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
}

function storedIn(row: Omit<DestinationRow, 'id' | 'name'>): StoredPrevious {
  return {
    previousSecretsSealed: row.previous_secrets_sealed,
    previousSecretsUntil: row.previous_secrets_until,
    earlierSecretsSealed: row.earlier_secrets_sealed,
  };
}
