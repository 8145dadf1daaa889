import { type Processor, Worker, type WorkerOptions } from 'bullmq';

/**
 * Every BullMQ worker of the service. Where producers fail fast, a worker waits for Redis to come back, and a
 * job whose worker was killed is picked up again however often that happens (BullMQ's default gives up at the
 * second time, with a job that may never have run).
 */
export class CdpWorker extends Worker {
  constructor(name: string, processor?: string | URL | null | Processor, options?: WorkerOptions) {
    super(name, processor, {
      maxStalledCount: 1_000,
      ...options,
      connection: waitingConnection(options?.connection),
    } as WorkerOptions);
  }
}

function waitingConnection(connection: WorkerOptions['connection'] | undefined): unknown {
  if (connection === undefined || !('url' in connection)) return connection;
  return { ...connection, enableOfflineQueue: true, maxRetriesPerRequest: null, commandTimeout: undefined };
}
