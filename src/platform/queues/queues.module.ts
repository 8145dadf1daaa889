import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CdpQueue } from './cdp-queue';
import { CdpWorker } from './cdp-worker';
import { JobDispatcher } from './job-dispatcher';
import { QUEUE_NAMES } from './job';
import { QueueMetrics } from './queue.metrics';
import type { QueueBackend } from './queue-backend';

/**
 * The hash tag keeps all keys of a queue in one slot of a Redis Cluster; queues spread over the slots.
 * @param queue by the name that it has in the backend
 */
export function redisPrefix(queue: string): string {
  return `{cdp:${queue}}`;
}

@Global()
@Module({})
export class QueuesModule {
  static forRoot(backend: QueueBackend): DynamicModule {
    BullModule.queueClass = CdpQueue;
    BullModule.workerClass = CdpWorker;
    const queues = BullModule.registerQueue(
      ...QUEUE_NAMES.map((name) => ({ name, prefix: redisPrefix(backend.nameOf(name)) })),
    );
    return {
      module: QueuesModule,
      imports: [BullModule.forRoot({ connection: backend.connection }), queues],
      providers: [JobDispatcher, QueueMetrics],
      exports: [JobDispatcher, queues],
    };
  }
}
