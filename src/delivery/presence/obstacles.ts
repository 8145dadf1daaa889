import { Injectable } from '@nestjs/common';
import { ConnectorRegistry } from '../../connectors/registry';
import { Config } from '../../platform/config/config';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { WorkerPresence } from './worker-presence';

/** What workers lack for sending to a destination: whatever else is the matter, what is there for it waits. */
export const OBSTACLES = ['connector_not_installed', 'secrets_not_readable'] as const;
export type Obstacle = (typeof OBSTACLES)[number];

/** A destination, and whether this process can open its secrets. */
interface Sealed {
  readonly id: string;
  readonly type: string;
  readonly secretsReadable: boolean;
}

/** What a worker says of itself; one of the version before does not say whose secrets it cannot open. */
interface WorkerRow {
  readonly connectors: string[];
  readonly unreadable: string[] | null;
}

// A row without connectors stands for no worker.
const workersSql = prepared('read_abilities_of_workers')`
  select connectors, unreadable from delivery_worker where connectors is not null and id is distinct from $1`;

/** What keeps all workers from sending to a destination: during an upgrade, or a change of keys, they differ. */
@Injectable()
export class Obstacles {
  private readonly isWorker: boolean;

  constructor(
    private readonly connectors: ConnectorRegistry,
    private readonly presence: WorkerPresence,
    config: Config,
  ) {
    this.isWorker = config.hasRole('worker');
  }

  /** By destination; none where some worker can send to it. Where no worker runs, it is what keeps this process. */
  async read(destinations: Iterable<Sealed>, tx: Tx): Promise<Map<string, Obstacle>> {
    const others = (await tx.query<WorkerRow>(workersSql, [this.presence.id ?? null])).map(abilitiesOf);
    const workers = this.isWorker || others.length === 0 ? [this.here, ...others] : others;
    return new Map(
      [...destinations].flatMap((destination) => {
        const obstacle = obstacleOfAll(workers, destination);
        return obstacle === undefined ? [] : [[destination.id, obstacle] as const];
      }),
    );
  }

  private get here(): Abilities {
    return {
      hasConnector: ({ type }) => this.connectors.get(type) !== undefined,
      opensSecrets: ({ secretsReadable }) => secretsReadable,
    };
  }
}

interface Abilities {
  hasConnector(destination: Sealed): boolean;
  opensSecrets(destination: Sealed): boolean;
}

function abilitiesOf(worker: WorkerRow): Abilities {
  const connectors = new Set(worker.connectors);
  const unreadable = new Set(worker.unreadable);
  return {
    hasConnector: ({ type }) => connectors.has(type),
    opensSecrets: ({ id }) => !unreadable.has(id),
  };
}

/** Where one of them has the connector, the key is what is missing. */
function obstacleOfAll(workers: readonly Abilities[], destination: Sealed): Obstacle | undefined {
  const withConnector = workers.filter((worker) => worker.hasConnector(destination));
  if (withConnector.length === 0) return 'connector_not_installed';
  const isReadable = withConnector.some((worker) => worker.opensSecrets(destination));
  return isReadable ? undefined : 'secrets_not_readable';
}
