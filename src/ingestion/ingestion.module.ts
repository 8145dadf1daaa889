import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { Config } from '../platform/config/config';
import { ProfilesModule } from '../profiles/profiles.module';
import { SegmentsModule } from '../segments/segments.module';
import { WriteKeysModule } from '../sources/write-keys.module';
import { EventInbox } from './event-inbox';
import { HandOver } from './hand-over';
import { EventsApi } from './events-api';
import { EventProcessor } from './event.processor';
import { InboxBatches } from './inbox-batches';
import { InboxReader } from './inbox-reader';
import { InboxSweeper } from './inbox-sweeper';
import { InboxMetrics } from './inbox.metrics';
import { IngestionMetrics } from './ingestion.metrics';
import { Intake } from './intake';
import { IntakeReport } from './intake-report';
import { MembershipUpkeep } from './membership-upkeep';
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

@Module({})
export class IngestionModule {
  /** @param delivery the module that exports `Deliveries` */
  static forRoles(config: Config, delivery: DynamicModule): DynamicModule {
    const intake = config.hasRole('events')
      ? [
          EventsApi,
          Intake,
          EventInbox,
          HandOver,
          IngestionMetrics,
          IntakeReport,
          Senders,
          SdkSettings,
          BODY_READER,
        ]
      : [];
    const work = config.hasRole('worker')
      ? [EventProcessor, InboxBatches, InboxReader, InboxSweeper, InboxMetrics, MembershipUpkeep]
      : [];
    return {
      module: IngestionModule,
      imports: [EventsModule, WriteKeysModule, ProfilesModule, SegmentsModule, delivery],
      providers: [...intake, ...work],
    };
  }
}
