import { BullModule } from '@nestjs/bullmq';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { CdpWorker } from './cdp-worker';
import { JobDispatcher } from './job-dispatcher';
import { QUEUE_NAMES } from './job';
import type { QueueBackend } from './queue-backend';

/** Keeps all keys of a queue in one slot of a Redis Cluster. */
const REDIS_PREFIX = '{cdp}';

@Global()
@Module({})
export class QueuesModule {
  static forRoot(backend: QueueBackend): DynamicModule {
    BullModule.workerClass = CdpWorker;
    const queues = BullModule.registerQueue(...QUEUE_NAMES.map((name) => ({ name })));
    return {
      module: QueuesModule,
      imports: [BullModule.forRoot({ connection: backend.connection, prefix: REDIS_PREFIX }), queues],
      providers: [JobDispatcher],
      exports: [JobDispatcher, queues],
    };
  }
}
