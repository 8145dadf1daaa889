import type { JsonValue } from '../../events/customer-event';
import { compileOperator } from '../../language/compile-operator';
import type { Comparand } from '../../language/comparand';
import type { Operator } from '../../language/operators';

/** What a rule about a trait of groups comes down to. */
interface GroupTest {
  /** Tested of the value in each group that has the trait. */
  readonly operator: Operator;
  /** The verdict where no group has it. */
  readonly ofNone: boolean;
  /** Whether the rule is the opposite of all that. */
  readonly negated: boolean;
}

const OPPOSITES: Partial<Record<Operator, Operator>> = {
  neq: 'eq',
  not_in: 'in',
  not_contains: 'contains',
  not_exists: 'exists',
};

/**
 * A rule holds when the value in any one of the groups satisfies it; groups without the trait do not count, and where
 * none has it, it is missing. A negated operator is the opposite of the other one, over all groups.
 */
export function groupTestOf(operator: Operator, comparand: Comparand): GroupTest {
  const opposite = OPPOSITES[operator];
  const positive = opposite ?? operator;
  return {
    operator: positive,
    ofNone: compileOperator(positive, comparand)(undefined, 0),
    negated: opposite !== undefined,
  };
}

/** The rule in memory, over the values that {@link GroupTest} speaks of. */
export function compileGroupTest(
  operator: Operator,
  comparand: Comparand,
): (values: readonly JsonValue[], nowMs: number) => boolean {
  const { operator: positive, ofNone, negated } = groupTestOf(operator, comparand);
  const test = compileOperator(positive, comparand);
  return (values, nowMs) =>
    (values.length === 0 ? ofNone : values.some((value) => test(value, nowMs))) !== negated;
}
