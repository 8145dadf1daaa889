import type { CustomerEvent, JsonObject, JsonValue } from '../../../events/customer-event';
import { valueAt } from '../../../events/event-path';
import { type Comparand, listOf, valueOf } from '../../../language/comparand';
import { compileOperator, isPlainScalar } from '../../../language/compile-operator';
import type { EventCondition } from '../../../language/event-condition';
import type { Operator } from '../../../language/operators';
import type { EventTest } from '../event-test';
import { isArrayIndex } from './read-field';

/** Whether an event of the name may count. */
export type MayCount = (event: CustomerEvent) => boolean;

type MayHold = (value: JsonValue | undefined) => boolean;

const NO_TIME = 0;

/**
 * Tells events that surely do not count from the others: what looks at the stored events need not be looked at again
 * for them. Which events count is said by `eventTestToSql` alone; this may say yes where that says no, and never the
 * other way round.
 */
export function compileMayCount({ type, where, range }: Omit<EventTest, 'event'>): MayCount {
  const tests: MayCount[] = where.flatMap((condition) => {
    const mayHold = compileMayHold(condition);
    return mayHold === undefined ? [] : [(event) => mayHold(valueAt(contentOf(event), condition.path))];
  });
  if (type !== undefined) tests.unshift((event) => event.type === type);
  if (range !== undefined) {
    const { fromMs = -Infinity, toMs = Infinity } = range;
    tests.unshift(({ timestamp }) => {
      const ms = Date.parse(timestamp);
      return ms >= fromMs && ms < toMs;
    });
  }
  return (event) => tests.every((mayCount) => mayCount(event));
}

/** Every member of an event is JSON. */
function contentOf(event: CustomerEvent): JsonObject {
  return event as unknown as JsonObject;
}

/** Undefined where nothing can be said: it may hold for every event. */
function compileMayHold({ path, operator, comparand }: EventCondition): MayHold | undefined {
  if (path.some(isArrayIndex)) return undefined;
  const surely = ROUNDED[operator];
  if (surely === undefined || !isExact(comparand)) return undefined;
  const test = compileOperator(surely, comparand);
  return (value) => test(value, NO_TIME);
}

/**
 * The operators that do not hold where nothing is, each as the one that holds for a number that was rounded where it
 * holds for the number itself. The others hold for an event that PostgreSQL cannot look into.
 */
const ROUNDED: Partial<Record<Operator, Operator>> = {
  exists: 'exists',
  eq: 'eq',
  in: 'in',
  contains: 'contains',
  starts_with: 'starts_with',
  ends_with: 'ends_with',
  gt: 'gte',
  gte: 'gte',
  lt: 'lte',
  lte: 'lte',
};

/** Whether it is compared the same here as there, but for digits: no dates, objects and arrays. */
function isExact(comparand: Comparand): boolean {
  switch (comparand.kind) {
    case 'none':
      return true;
    case 'value':
      return isPlainScalar(valueOf(comparand));
    case 'list':
      return listOf(comparand).every(isPlainScalar);
    case 'ago':
      return false;
  }
}
