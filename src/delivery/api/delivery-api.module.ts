import { Module } from '@nestjs/common';
import { ConnectorsModule } from '../../connectors/connectors.module';
import { ActiveDestinationsModule } from '../../destinations/active-destinations.module';
import { DestinationsModule } from '../../destinations/destinations.module';
import { SecretRotation } from '../../destinations/secret-rotation';
import { EventsModule } from '../../events/events.module';
import { DeliveryModule } from '../delivery.module';
import { Replays } from '../replay/replays';
import { FilterPreviews } from '../routing/filter-preview';
import { FilterPreviewController } from '../routing/filter-preview.controller';
import { DeadLettersController } from './dead-letters.controller';
import { DeliveriesController } from './deliveries.controller';
import { DeliveryActions } from './delivery-actions';
import { DeliveryReader } from './delivery-reader';
import { DestinationOperationsController } from './destination-operations.controller';
import { DestinationStats } from './destination-stats';
import { DestinationSwitch } from './destination-switch';
import { DestinationTester } from './destination-tester';
import { SentRequests } from './sent-requests';
import { ReplaysController } from './replays.controller';

/** Deliveries over HTTP: seen, retried, replayed; and the operations of a destination. */
@Module({
  imports: [ConnectorsModule, ActiveDestinationsModule, DestinationsModule, DeliveryModule, EventsModule],
  controllers: [
    DeliveriesController,
    DeadLettersController,
    ReplaysController,
    DestinationOperationsController,
    FilterPreviewController,
  ],
  providers: [
    DeliveryReader,
    SentRequests,
    DeliveryActions,
    Replays,
    DestinationStats,
    DestinationTester,
    SecretRotation,
    DestinationSwitch,
    FilterPreviews,
  ],
})
export class DeliveryApiModule {}
