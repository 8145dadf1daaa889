import { Column, Entity } from 'typeorm';
import { Resource } from '../platform/database/resources/resource.entity';
import type { PlanContent, PlanRule, UnplannedAction } from './language/plan';

/** What events look like, as operators define it. */
@Entity('tracking_plan')
export class TrackingPlan extends Resource implements PlanContent {
  @Column('text')
  description: string;

  /** `json`, which keeps the members in the order in which people wrote them. */
  @Column('json')
  rules: PlanRule[];

  @Column('text', { name: 'unplanned_events' })
  unplannedEvents: UnplannedAction;

  @Column('text', { name: 'unplanned_properties' })
  unplannedProperties: UnplannedAction;
}
