import { notFound, problem } from '../platform/http/problems/problem';

export class TrackingPlanNotFoundError extends notFound('tracking plan') {}

export class TrackingPlanVersionNotFoundError extends notFound(
  'tracking plan version',
  'The plan has, or keeps, no such version.',
) {}

export class TooManyTrackingPlansError extends problem(
  409,
  'too_many_tracking_plans',
  'There are as many tracking plans as there may be.',
) {
  constructor(limit: number) {
    super(`There may be ${limit} tracking plans at most.`);
  }
}

export class TrackingPlanInUseError extends problem(
  409,
  'tracking_plan_in_use',
  'Events of sources are checked by it; the answer names them.',
) {
  override readonly extensions: Readonly<Record<string, unknown>>;

  constructor(sources: readonly { readonly id: string; readonly name: string }[]) {
    super(
      `It is the plan of ${sources.map(({ name }) => JSON.stringify(name)).join(', ')}. Detach it there first.`,
    );
    this.extensions = { sources };
  }
}
