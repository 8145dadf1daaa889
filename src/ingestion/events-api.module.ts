import { type FactoryProvider, Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { HandOverModule } from '../events/inbox/hand-over.module';
import { Config } from '../platform/config/config';
import { WriteKeysModule } from '../sources/write-keys.module';
import { GroupCommit } from './inbox/group-commit';
import { EventsApi } from './api/events-api';
import { EventChecksModule } from './event-checks.module';
import { Intake } from './intake';
import { limitsOf } from './parsing/limits';
import { BodyReader } from './receiving/read-body';
import { SdkSettings } from './api/sdk-settings';
import { Senders } from './receiving/senders';

const BODY_READER: FactoryProvider<BodyReader> = {
  provide: BodyReader,
  inject: [Config, GroupCommit],
  useFactory: (config: Config, groupCommit: GroupCommit) =>
    new BodyReader(limitsOf(config).maxBodyBytes, () => groupCommit.isFull()),
};

/** Takes events in, and stores them. */
@Module({
  imports: [EventsModule, WriteKeysModule, EventChecksModule, HandOverModule],
  providers: [EventsApi, Intake, GroupCommit, Senders, SdkSettings, BODY_READER],
  // For what else is received: the bytes of all bodies have one budget.
  exports: [Senders, BodyReader],
})
export class EventsApiModule {}
