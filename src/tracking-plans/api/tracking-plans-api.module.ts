import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../../events/events.module';
import { HandOverModule } from '../../events/inbox/hand-over.module';
import { EventFinder } from '../../events/reading/event-finder';
import { StoredEvent } from '../../events/reading/stored-event.entity';
import { SourcesModule } from '../../sources/sources.module';
import { PlansInForceModule } from '../judging/plans-in-force.module';
import { TrackingPlan } from '../tracking-plan.entity';
import { TrackingPlanRepository } from '../tracking-plan.repository';
import { Quarantine } from '../quarantine/quarantine';
import { PlanViolations } from '../violations/plan-violations';
import { PlanTrials } from '../trying/plan-trials';
import { RecentEvents } from '../trying/recent-events';
import { PlanImportsController } from './plan-imports.controller';
import { PlanTrialsController } from './plan-trials.controller';
import { PlanViolationsController } from './plan-violations.controller';
import { QuarantinedEventsController } from './quarantined-events.controller';
import { TrackingPlansController } from './tracking-plans.controller';
import { TrackingPlansService } from './tracking-plans.service';

/** Tracking plans over HTTP. */
@Module({
  imports: [
    TypeOrmModule.forFeature([TrackingPlan, StoredEvent]),
    PlansInForceModule,
    EventsModule,
    HandOverModule,
    SourcesModule,
  ],
  controllers: [
    TrackingPlansController,
    PlanTrialsController,
    PlanImportsController,
    PlanViolationsController,
    QuarantinedEventsController,
  ],
  providers: [
    EventFinder,
    PlanTrials,
    PlanViolations,
    Quarantine,
    RecentEvents,
    TrackingPlanRepository,
    TrackingPlansService,
  ],
  exports: [TrackingPlansService],
})
export class TrackingPlansApiModule {}
