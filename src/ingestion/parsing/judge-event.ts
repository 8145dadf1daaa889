import type { JsonObject } from '../../events/customer-event';
import { withPlainNumbers } from '../../events/exact-json';
import type { PlanInForce } from '../../tracking-plans/judging/plans-in-force';
import { checkEvent } from '../../tracking-plans/language/check-event';
import { omitMembers } from '../../tracking-plans/language/omit-members';
import type { Verdict, Violation } from '../../tracking-plans/language/plan';
import type { Fields } from './field-values';

/** The plan by which an event is judged. */
export interface Judge extends PlanInForce {
  /** Whether numbers of the request may be kept as they were sent, see `readExactly`. */
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

/**
 * Judges an event as it is kept.
 * @param event gets its verdict: a copy of it would cost as much as judging does. Members that are undefined are not
 * there
 */
export function judgeEvent(event: Fields, { id, version, plan, mayKeepNumbers }: Judge): JudgedEvent {
  const judged = (mayKeepNumbers ? withPlainNumbers(event) : event) as JsonObject;
  const { outcome, violations, targets, omitted } = checkEvent(plan, judged);
  const kept: Fields = targets.length === 0 ? event : omitMembers(event as JsonObject, targets);
  const shown: ShownVerdict =
    outcome === 'pass'
      ? { id, version }
      : { id, version, violations, ...(omitted.length === 0 ? {} : { omitted }) };
  // Not by spreading, which makes an object that takes a third longer to write as JSON.
  kept.context = Object.assign({}, kept.context, { trackingPlan: shown });
  return { outcome, violations, event: kept };
}
