import type { JsonObject } from '../../events/customer-event';
import { withPlainNumbers } from '../../events/exact-json';
import type { PlanInForce } from '../../tracking-plans/judging/plans-in-force';
import { checkEvent } from '../../tracking-plans/language/check-event';
import { omitMembers } from '../../tracking-plans/language/omit-members';
import type { Verdict, Violation } from '../../tracking-plans/language/plan';
import type { Fields } from './field-values';

/** The plan by which an event is judged. */
export interface Judge extends PlanInForce {
  /** Whether numbers of the request may be kept as they were sent, see `parseExactly`. */
  readonly mayKeepNumbers: boolean;
}

/** An event that a plan has judged. */
export interface JudgedEvent {
  readonly outcome: Verdict['outcome'];
  readonly violations: readonly Violation[];
  /** What is kept of it. `context.trackingPlan` says what the plan found. */
  readonly event: Fields;
}

/** What an event says of its verdict, to destinations, filters, the tail and whoever looks at it. */
interface ShownVerdict {
  readonly id: string;
  readonly version: number;
  readonly violations?: readonly Violation[];
  readonly omitted?: readonly string[];
}

/** Judges an event as it is kept. @param given its members that are undefined are not there */
export function judgeEvent(given: Fields, { id, version, plan, mayKeepNumbers }: Judge): JudgedEvent {
  const event = withoutUndefined(given);
  const judged = mayKeepNumbers ? (withPlainNumbers(event) as JsonObject) : event;
  const { outcome, violations, targets, omitted } = checkEvent(plan, judged);
  const kept = targets.length === 0 ? event : omitMembers(event, targets);
  const shown: ShownVerdict = {
    id,
    version,
    ...(violations.length === 0 ? {} : { violations }),
    ...(omitted.length === 0 ? {} : { omitted }),
  };
  const context = { ...(kept.context as JsonObject | undefined), trackingPlan: shown };
  return { outcome, violations, event: { ...kept, context } };
}

/** A schema would take a member that is undefined for one that is there. */
function withoutUndefined(given: Fields): JsonObject {
  const event: Fields = {};
  for (const name in given) if (given[name] !== undefined) event[name] = given[name];
  return event as JsonObject;
}
