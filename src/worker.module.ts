import { Module } from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import { DeliveryWorkerModule } from './delivery/delivery-worker.module';
import { HooksWorkerModule } from './hooks/hooks-worker.module';
import { EventProcessingModule } from './ingestion/event-processing.module';
import { NoticesModule } from './notices/notices.module';
import { AuditModule } from './platform/audit/audit.module';
import { demandOneProcessorEach } from './platform/queues/demand-processors';
import { SecretsModule } from './platform/secrets/secrets.module';

/** The role `worker`: the processors of all queues, and what goes on in the background. */
@Module({
  imports: [
    DiscoveryModule,
    SecretsModule,
    AuditModule,
    EventProcessingModule,
    HooksWorkerModule,
    DeliveryWorkerModule,
    NoticesModule,
  ],
})
export class WorkerModule {
  /** @throws when a queue has no processor, or two: before any of them takes a job. */
  constructor(discovery: DiscoveryService) {
    demandOneProcessorEach(discovery);
  }
}
