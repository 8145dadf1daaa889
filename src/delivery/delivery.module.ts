import { type DynamicModule, Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module';
import { ActiveDestinationsModule } from '../destinations/active-destinations.module';
import { EventsModule } from '../events/events.module';
import type { Config } from '../platform/config/config';
import { BatchBreaker } from './batches/batch-breaker';
import { BatchRunner, BatchTools } from './batches/batch-runner';
import { BatchProcessor } from './batches/batch.processor';
import { BatchStore } from './batches/batch-store';
import { BatchWork } from './batches/batch-work';
import { Batcher } from './batches/batcher';
import { DestinationHealth } from './breaker/health';
import { BacklogMetrics } from './backlog.metrics';
import { DeadLetterProcessor } from './dead-letters/dead-letter.processor';
import { DeadLetterQueue } from './dead-letters/dead-letter-queue';
import { GivenUp } from './dead-letters/given-up';
import { Deliveries } from './deliveries';
import { DeliveryJobs } from './delivery-jobs';
import { DeliveryMetrics } from './delivery.metrics';
import { DeliveryProcessor } from './delivery.processor';
import { DeliveryTables } from './delivery-tables';
import { DestinationsMetrics } from './destinations.metrics';
import { DeliveryHousekeeping } from './housekeeping';
import { FollowUps } from './lanes/follow-ups';
import { Lanes, LaneServices } from './lanes/lanes';
import { MissingConnectors } from './missing-connectors';
import { Ledger } from './ledger/ledger';
import { OutcomeWriter } from './ledger/outcome-writer';
import { WorkerPresence } from './presence/worker-presence';
import { Probes } from './probes';
import { RateLimiter } from './rate/rate-limiter';
import { ReplayRunner } from './replay/replay-runner';
import { RetryProcessor } from './retry.processor';
import { FilterPreviews } from './routing/filter-preview';
import { FilterPreviewController } from './routing/filter-preview.controller';
import { Router } from './routing/router';
import { DeliverySpans } from './delivery-spans';
import { Sender } from './sender';
import { DeliveryCounter } from './stats/delivery-counter';
import { DeliverySweeper } from './sweeper';

@Module({})
export class DeliveryModule {
  static forRoles(config: Config): DynamicModule {
    const workers = [
      DeliveryProcessor,
      RetryProcessor,
      DeadLetterProcessor,
      DeliverySweeper,
      DeliveryHousekeeping,
      ReplayRunner,
      BacklogMetrics,
      DestinationsMetrics,
      BatchStore,
      BatchBreaker,
      BatchTools,
      BatchRunner,
      BatchWork,
      BatchProcessor,
      Batcher,
      Probes,
      MissingConnectors,
    ];
    return {
      module: DeliveryModule,
      imports: [ConnectorsModule, ActiveDestinationsModule, EventsModule],
      controllers: config.hasRole('management') ? [FilterPreviewController] : [],
      providers: [
        FilterPreviews,
        DeliveryTables,
        Deliveries,
        DeliveryJobs,
        Router,
        DestinationHealth,
        WorkerPresence,
        Ledger,
        DeliverySpans,
        Sender,
        OutcomeWriter,
        DeadLetterQueue,
        GivenUp,
        FollowUps,
        DeliveryMetrics,
        DeliveryCounter,
        RateLimiter,
        LaneServices,
        Lanes,
        ...(config.hasRole('worker') ? workers : []),
      ],
      exports: [Deliveries, DestinationHealth, Sender, DeadLetterQueue],
    };
  }
}
