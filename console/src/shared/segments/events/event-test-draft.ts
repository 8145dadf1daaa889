import { EVENT_TYPES } from '../../event-types';
import { newKey } from '../../new-key';
import { INNER_LABELS, LABELS, labelsInside, PARTS } from '../field-labels';
import { missingInTest, newTest, readTest, type Test, type TestDraft, writeTest } from '../values/test-draft';

/** A test of a value in an event, while it is written. */
export interface ConditionDraft extends TestDraft {
  readonly key: string;
  /** A dotted path into the event. */
  readonly field: string;
}

export interface Condition extends Test {
  readonly field: string;
}

/** Which events count, while it is written. */
export interface EventTestDraft {
  /** Empty is any, where that is possible. */
  readonly event: string;
  readonly type: string;
  readonly where: readonly ConditionDraft[];
}

/** The same as members of a rule. */
export interface EventTest {
  readonly event?: string;
  readonly type?: string;
  readonly where?: readonly Condition[];
}

/** Conditions of one `where`, as the service takes them. */
export const MAX_WHERE = 20;

export const NO_TEST: EventTestDraft = { event: '', type: '', where: [] };

export function newCondition(): ConditionDraft {
  return { key: newKey(), field: '', ...newTest('anything') };
}

type Members = Readonly<Record<string, unknown>>;

/** Undefined when the members are none of the language. */
export function readEventTest({ event = '', type = '', where = [] }: Members): EventTestDraft | undefined {
  if (typeof event !== 'string' || typeof type !== 'string' || !Array.isArray(where)) return undefined;
  if (type !== '' && !EVENT_TYPES.some((one) => one === type)) return undefined;
  const conditions = where.map(readCondition);
  return conditions.every((one) => one !== undefined) ? { event, type, where: conditions } : undefined;
}

/** Undefined when it is none of the language. */
export function readCondition(condition: unknown): ConditionDraft | undefined {
  if (typeof condition !== 'object' || condition === null) return undefined;
  const { field, operator, value, ...others } = condition as Members;
  if (typeof field !== 'string' || Object.keys(others).length > 0) return undefined;
  const test = readTest({ operator, value }, 'anything');
  return test && { key: newKey(), field, ...test };
}

/** Undefined while a condition is not complete. */
export function writeEventTest({ event, type, where }: EventTestDraft): EventTest | undefined {
  const conditions = where.map(writeCondition);
  if (!conditions.every((one) => one !== undefined)) return undefined;
  return {
    ...(event === '' ? {} : { event }),
    ...(type === '' ? {} : { type }),
    ...(conditions.length === 0 ? {} : { where: conditions }),
  };
}

/** Undefined while it is not complete. */
export function writeCondition({ field, ...draft }: ConditionDraft): Condition | undefined {
  const test = writeTest(draft, 'anything');
  return field === '' ? undefined : test && { field, ...test };
}

/** The fields that are missing, where the events have to be of one name or may be any. */
export function missingInEventTest({ event, where }: EventTestDraft, isNamed: boolean): string[] {
  return [
    ...(isNamed && event === '' ? [LABELS.event] : []),
    ...where.flatMap((condition, index) => labelsInside(PARTS.where(index), missingInCondition(condition))),
  ];
}

/** The fields without which `writeCondition` has no condition. */
export function missingInCondition(condition: ConditionDraft): string[] {
  return [...(condition.field === '' ? [INNER_LABELS.field] : []), ...missingInTest(condition, 'anything')];
}
