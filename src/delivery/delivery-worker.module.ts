import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../connectors/connectors.module';
import { ActiveDestinationsModule } from '../destinations/active-destinations.module';
import { EventsModule } from '../events/events.module';
import { Attempts } from './sending/attempts';
import { BacklogMetrics } from './metrics/backlog.metrics';
import { BatchAttempts } from './batches/batch-attempts';
import { BatchProbes } from './batches/batch-probes';
import { BatchRunner } from './batches/batch-runner';
import { BatchProcessor } from './batches/batch.processor';
import { BatchClaims } from './batches/batch-claims';
import { BatchCloser } from './batches/batch-closer';
import { BatchSweeper } from './batches/batch-sweeper';
import { Batcher } from './batches/batcher';
import { Breakers } from './breaker/breakers';
import { DestinationDisabler } from './breaker/destination-disabler';
import { DeadLetterProcessor } from './dead-letters/dead-letter.processor';
import { DeadDeliveries } from './dead-letters/dead-deliveries';
import { DeliveryLines } from './sending/delivery-lines';
import { DeliveryMetrics } from './metrics/delivery.metrics';
import { DeliveryModule } from './delivery.module';
import { DeliveryProcessor } from './delivery.processor';
import { DestinationProbes } from './upkeep/destination-probes';
import { DestinationsMetrics } from './metrics/destinations.metrics';
import { FollowUps } from './sending/follow-ups';
import { DeliveryHousekeeping } from './upkeep/delivery-housekeeping';
import { Budget } from './lanes/budget';
import { DeliveryWork } from './lanes/delivery-work';
import { Lanes } from './lanes/lanes';
import { OutcomeWriter } from './ledger/recording/outcome-writer';
import { LedgerUpkeep } from './upkeep/ledger-upkeep';
import { FailingTransformations } from './upkeep/failing-transformations';
import { OrderUpkeep } from './upkeep/order-upkeep';
import { MissingConnectors } from './upkeep/missing-connectors';
import { RateLimiter } from './rate/rate-limiter';
import { ReplayRunner } from './replay/replay-runner';
import { ReplaySteps } from './replay/replay-steps';
import { RetryJobs } from './retries/retry-jobs';
import { RetryProcessor } from './retries/retry.processor';
import { DeliveryCounter } from './stats/delivery-counter';
import { BacklogLooks } from './upkeep/backlog-looks';
import { DeliverySweeper } from './upkeep/sweeper';

/** Delivers: processors, lanes, batches, sweepers. */
@Module({
  imports: [DeliveryModule, ConnectorsModule, ActiveDestinationsModule, EventsModule],
  providers: [
    DeliveryProcessor,
    RetryProcessor,
    BatchProcessor,
    DeadLetterProcessor,
    DeliveryWork,
    Lanes,
    Budget,
    Attempts,
    Breakers,
    DestinationDisabler,
    RetryJobs,
    RateLimiter,
    DestinationProbes,
    OutcomeWriter,
    FollowUps,
    DeliveryLines,
    DeadDeliveries,
    BatchCloser,
    BatchClaims,
    BatchAttempts,
    BatchProbes,
    BatchRunner,
    Batcher,
    BatchSweeper,
    BacklogLooks,
    DeliverySweeper,
    DeliveryHousekeeping,
    LedgerUpkeep,
    FailingTransformations,
    OrderUpkeep,
    ReplayRunner,
    ReplaySteps,
    MissingConnectors,
    DeliveryMetrics,
    DeliveryCounter,
    BacklogMetrics,
    DestinationsMetrics,
  ],
})
export class DeliveryWorkerModule {}
