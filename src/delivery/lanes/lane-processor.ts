import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { WorkerPresence } from '../presence/worker-presence';
import { DeliveryWork } from './delivery-work';

/** Takes jobs of a queue whose deliveries lanes try. */
@Injectable()
export abstract class LaneProcessor extends WorkerHost implements OnModuleDestroy {
  constructor(
    protected readonly work: DeliveryWork,
    private readonly presence: WorkerPresence,
  ) {
    super();
  }

  /** The queue was away, or brings nothing: what it has may be lost. */
  @OnWorkerEvent('ioredis:close')
  @OnWorkerEvent('error')
  noteLostJobs(): void {
    if (this.worker.closing === undefined) this.presence.noteLostJobs();
  }

  /** Takes no more jobs. Those in hand end with their lanes. */
  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.worker.close(), this.work.stop()]);
  }
}
