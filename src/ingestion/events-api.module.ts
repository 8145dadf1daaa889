import { type FactoryProvider, Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { HandOverModule } from '../events/inbox/hand-over.module';
import { Config } from '../platform/config/config';
import { WriteKeysModule } from '../sources/write-keys.module';
import { EventCounter } from './event-counter';
import { GroupCommit } from './inbox/group-commit';
import { EventsApi } from './api/events-api';
import { IngestionMetrics } from './ingestion.metrics';
import { EventChecks } from './event-checks';
import { Intake } from './intake';
import { PlansInForceModule } from '../tracking-plans/judging/plans-in-force.module';
import { ViolationLog } from './violation-log';
import { QuarantineLog } from './quarantine-log';
import { IntakeReport } from './intake-report';
import { limitsOf } from './parsing/limits';
import { BodyReader } from './receiving/read-body';
import { SdkSettings } from './api/sdk-settings';
import { Senders } from './receiving/senders';
import { RejectionLog } from './rejection-log';

const BODY_READER: FactoryProvider<BodyReader> = {
  provide: BodyReader,
  inject: [Config, GroupCommit],
  useFactory: (config: Config, groupCommit: GroupCommit) =>
    new BodyReader(limitsOf(config).maxBodyBytes, () => groupCommit.isFull()),
};

/** Takes events in, and stores them. */
@Module({
  imports: [EventsModule, WriteKeysModule, PlansInForceModule, HandOverModule],
  providers: [
    EventsApi,
    EventChecks,
    Intake,
    QuarantineLog,
    ViolationLog,
    GroupCommit,
    EventCounter,
    IngestionMetrics,
    IntakeReport,
    RejectionLog,
    Senders,
    SdkSettings,
    BODY_READER,
  ],
})
export class EventsApiModule {}
