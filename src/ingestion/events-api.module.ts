import { type FactoryProvider, Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { Config } from '../platform/config/config';
import { WriteKeysModule } from '../sources/write-keys.module';
import { EventInbox } from './event-inbox';
import { EventsApi } from './events-api';
import { HandOver } from './hand-over';
import { IngestionMetrics } from './ingestion.metrics';
import { Intake } from './intake';
import { IntakeReport } from './intake-report';
import { limitsOf } from './limits';
import { BodyReader } from './read-body';
import { SdkSettings } from './sdk-settings';
import { Senders } from './senders';

const BODY_READER: FactoryProvider<BodyReader> = {
  provide: BodyReader,
  inject: [Config, EventInbox],
  useFactory: (config: Config, inbox: EventInbox) =>
    new BodyReader(limitsOf(config).maxBodyBytes, () => inbox.isFull()),
};

/** Takes events in, and stores them. */
@Module({
  imports: [EventsModule, WriteKeysModule],
  providers: [
    EventsApi,
    Intake,
    EventInbox,
    HandOver,
    IngestionMetrics,
    IntakeReport,
    Senders,
    SdkSettings,
    BODY_READER,
  ],
})
export class EventsApiModule {}
