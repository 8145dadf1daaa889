import { type FactoryProvider, Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { HandOverModule } from '../events/inbox/hand-over.module';
import { Config } from '../platform/config/config';
import { WriteKeysModule } from '../sources/write-keys.module';
import { GroupCommit } from './storing/group-commit';
import { StoreRoom } from './storing/store-room';
import { EventsApi } from './api/events-api';
import { EventChecksModule } from './event-checks.module';
import { Intake } from './intake';
import { limitsOf } from './parsing/limits';
import { BodyReader } from './receiving/body-reader';
import { SdkSettings } from './api/sdk-settings';
import { Senders } from './receiving/senders';

const BODY_READER: FactoryProvider<BodyReader> = {
  provide: BodyReader,
  inject: [Config, StoreRoom],
  useFactory: (config: Config, room: StoreRoom) =>
    new BodyReader(limitsOf(config).maxBodyBytes, () => room.isFull()),
};

/** Takes events in, and stores them. */
@Module({
  imports: [EventsModule, WriteKeysModule, EventChecksModule, HandOverModule],
  providers: [EventsApi, Intake, StoreRoom, GroupCommit, Senders, SdkSettings, BODY_READER],
  // For what else is received: the bytes of all bodies have one budget.
  exports: [Senders, BodyReader],
})
export class EventsApiModule {}
