import { Versions, type VersionEntry } from '../platform/database/resources/versions';
import type { PlanContent } from './language/plan';

/** What an operator sets of a plan. */
export interface PlanDefinition extends PlanContent {
  readonly name: string;
  readonly description: string;
}

interface Versioned {
  readonly content: PlanDefinition;
}

/** A plan as it was, or is. */
export type PlanVersion = VersionEntry & Versioned;

/** Each event that a version judges names it. */
export const planVersions = new Versions<Versioned>({
  table: 'tracking_plan_version',
  of: 'plan_id',
  columns: ['content'],
});
