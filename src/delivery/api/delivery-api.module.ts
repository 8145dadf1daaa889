import { type DynamicModule, Module } from '@nestjs/common';
import { ConnectorsModule } from '../../connectors/connectors.module';
import { ActiveDestinationsModule } from '../../destinations/active-destinations.module';
import { SecretRotation } from '../../destinations/secret-rotation';
import type { Config } from '../../platform/config/config';
import { Replays } from '../replay/replays';
import { DeadLettersController } from './dead-letters.controller';
import { DeliveriesController } from './deliveries.controller';
import { DeliveryActions } from './delivery-actions';
import { DeliveryReader } from './delivery-reader';
import { DestinationOperationsController } from './destination-operations.controller';
import { DestinationStats } from './destination-stats';
import { DestinationSwitch } from './destination-switch';
import { DestinationTester } from './destination-tester';
import { ReplaysController } from './replays.controller';

/** Deliveries over HTTP: seen, retried, replayed; and the operations of a destination. */
@Module({})
export class DeliveryApiModule {
  /** @param shared the instances of the delivery and the destinations module: each call of theirs makes another one. */
  static forRoles(config: Config, shared: readonly DynamicModule[]): DynamicModule {
    if (!config.hasRole('management')) return { module: DeliveryApiModule };
    return {
      module: DeliveryApiModule,
      imports: [ConnectorsModule, ActiveDestinationsModule, ...shared],
      controllers: [
        DeliveriesController,
        DeadLettersController,
        ReplaysController,
        DestinationOperationsController,
      ],
      providers: [
        DeliveryReader,
        DeliveryActions,
        Replays,
        DestinationStats,
        DestinationTester,
        SecretRotation,
        DestinationSwitch,
      ],
    };
  }
}
