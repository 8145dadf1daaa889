import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventFinder } from '../../events/reading/event-finder';
import { StoredEvent } from '../../events/reading/stored-event.entity';
import { EventsModule } from '../../events/events.module';
import { PlansInForceModule } from '../judging/plans-in-force.module';
import { TrackingPlan } from '../tracking-plan.entity';
import { TrackingPlanRepository } from '../tracking-plan.repository';
import { Quarantine } from '../quarantine/quarantine';
import { QuarantinedEventsController } from '../quarantine/quarantined-events.controller';
import { PlanViolations } from '../violations/plan-violations';
import { PlanViolationsController } from '../violations/plan-violations.controller';
import { TrackingPlansController } from './tracking-plans.controller';
import { TrackingPlansService } from './tracking-plans.service';

/** Tracking plans over HTTP. */
@Module({
  imports: [TypeOrmModule.forFeature([TrackingPlan, StoredEvent]), PlansInForceModule, EventsModule],
  controllers: [TrackingPlansController, PlanViolationsController, QuarantinedEventsController],
  providers: [EventFinder, PlanViolations, Quarantine, TrackingPlanRepository, TrackingPlansService],
  exports: [TrackingPlansService],
})
export class TrackingPlansApiModule {}
