import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectorsModule } from '../../connectors/connectors.module';
import { ActiveDestinationsModule } from '../../destinations/active-destinations.module';
import { DestinationsModule } from '../../destinations/destinations.module';
import { EventsModule } from '../../events/events.module';
import { SwitchedDestinations } from '../breaker/switched-destinations';
import { DeliveryModule } from '../delivery.module';
import { Delivery } from '../ledger/delivery.entity';
import { DeliveryAttempt } from '../ledger/delivery-attempt.entity';
import { Replay } from '../replay/replay.entity';
import { ReplayDryRuns } from '../replay/replay-dry-runs';
import { ReplayRequests } from '../replay/replay-requests';
import { Replays } from '../replay/replays';
import { BulkRetries } from '../retries/bulk-retries';
import { FilterPreviews } from '../trials/filter-previews';
import { TransformationTrials } from '../trials/transformation-trials';
import { TrialSandbox } from '../trials/trial-sandbox';
import { DeadLetterDiscards } from './dead-letter-discards';
import { DeadLettersController } from './dead-letters.controller';
import { DeliveriesController } from './deliveries.controller';
import { DeliveryActions } from './delivery-actions';
import { DeliveryReader } from './delivery-reader';
import { DestinationOperationsController } from './destination-operations.controller';
import { DestinationRetries } from './destination-retries';
import { DestinationStats } from './destination-stats';
import { DestinationsStatsController } from './destinations-stats.controller';
import { DestinationTester } from './destination-tester';
import { SentRequests } from './sent-requests';
import { FilterPreviewController } from './filter-preview.controller';
import { ReplaysController } from './replays.controller';
import { TransformationTrialsController } from './transformation-trials.controller';
import { Waits } from '../stats/waits';

/** Deliveries over HTTP: seen, retried, replayed; and the operations of a destination. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Delivery, DeliveryAttempt, Replay]),
    ConnectorsModule,
    ActiveDestinationsModule,
    DestinationsModule,
    DeliveryModule,
    EventsModule,
  ],
  controllers: [
    DeliveriesController,
    DeadLettersController,
    ReplaysController,
    DestinationOperationsController,
    DestinationsStatsController,
    FilterPreviewController,
    TransformationTrialsController,
  ],
  providers: [
    DeliveryReader,
    SentRequests,
    Waits,
    DeliveryActions,
    DeadLetterDiscards,
    BulkRetries,
    DestinationRetries,
    Replays,
    ReplayRequests,
    ReplayDryRuns,
    DestinationStats,
    DestinationTester,
    FilterPreviews,
    TransformationTrials,
    TrialSandbox,
    SwitchedDestinations,
  ],
  exports: [DeliveryReader],
})
export class DeliveryApiModule {}
