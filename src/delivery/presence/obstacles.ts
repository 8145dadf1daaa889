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

/** What a worker can do; of a worker of the version before it is not known whose secrets it cannot open. */
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
    const workers = await tx.query<WorkerRow>(workersSql, [this.presence.id ?? null]);
    const counts = this.isWorker || workers.length === 0;
    return new Map(
      [...destinations].flatMap((destination) => {
        const own = counts ? [this.obstacleHere(destination)] : [];
        const obstacles = [...own, ...workers.map((worker) => obstacleAt(worker, destination))];
        if (obstacles.includes(undefined)) return [];
        // Where one has the connector, a key is what is missing.
        const obstacle = obstacles.find((one) => one === 'secrets_not_readable') ?? 'connector_not_installed';
        return [[destination.id, obstacle] as const];
      }),
    );
  }

  private obstacleHere({ type, secretsReadable }: Sealed): Obstacle | undefined {
    if (this.connectors.get(type) === undefined) return 'connector_not_installed';
    return secretsReadable ? undefined : 'secrets_not_readable';
  }
}

function obstacleAt({ connectors, unreadable }: WorkerRow, { id, type }: Sealed): Obstacle | undefined {
  if (!connectors.includes(type)) return 'connector_not_installed';
  return unreadable?.includes(id) ? 'secrets_not_readable' : undefined;
}
