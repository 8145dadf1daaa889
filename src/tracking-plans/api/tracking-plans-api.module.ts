import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PlansInForceModule } from '../judging/plans-in-force.module';
import { TrackingPlan } from '../tracking-plan.entity';
import { TrackingPlanRepository } from '../tracking-plan.repository';
import { TrackingPlansController } from './tracking-plans.controller';
import { TrackingPlansService } from './tracking-plans.service';

/** Tracking plans over HTTP. */
@Module({
  imports: [TypeOrmModule.forFeature([TrackingPlan]), PlansInForceModule],
  controllers: [TrackingPlansController],
  providers: [TrackingPlanRepository, TrackingPlansService],
  exports: [TrackingPlansService],
})
export class TrackingPlansApiModule {}
