import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Database } from '../platform/database/database';
import { ResourceRepository } from '../platform/database/resources/resource.repository';
import { TrackingPlanNotFoundError } from './tracking-plan-problems';
import { TrackingPlan } from './tracking-plan.entity';

const countChangeSql = 'update tracking_plan_change set version = version + 1';

/** The tracking plans that operators configure. */
@Injectable()
export class TrackingPlanRepository extends ResourceRepository<TrackingPlan> {
  constructor(@InjectRepository(TrackingPlan) plans: Repository<TrackingPlan>, database: Database) {
    super(plans, database, TrackingPlanNotFoundError, countChangeSql);
  }
}
