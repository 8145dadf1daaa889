import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { WriteKeysModule } from '../sources/write-keys.module';
import { PlansInForceModule } from '../tracking-plans/judging/plans-in-force.module';
import { EventChecks } from './event-checks';
import { EventCounter } from './event-counter';
import { IngestionMetrics } from './ingestion.metrics';
import { IntakeReport } from './intake-report';
import { QuarantineLog } from './quarantine-log';
import { RejectionLog } from './rejection-log';
import { ViolationLog } from './violation-log';

/** What is done with events before they are stored, whoever has sent them or made them, and what is told of that. */
@Module({
  imports: [EventsModule, WriteKeysModule, PlansInForceModule],
  providers: [
    EventChecks,
    EventCounter,
    IngestionMetrics,
    IntakeReport,
    QuarantineLog,
    RejectionLog,
    ViolationLog,
  ],
  exports: [EventChecks, IngestionMetrics, IntakeReport, QuarantineLog, RejectionLog],
})
export class EventChecksModule {}
