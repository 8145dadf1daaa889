import type { CustomerEvent, JsonValue } from '../../events/customer-event';
import type { EventPath } from '../../events/event-path';
import type { EventCondition } from '../../language/event-condition';
import { compileOperator, type ValueTest } from '../../language/compile-operator';
import { type PersonOfEvent, STRANGER, valueSeen } from './person-of-event';

/** Numbers that stand for a condition, and for a path, in the memo that made them. */
export type ConditionId = number;
export type PathId = number;

type Test =
  | { readonly pathId: PathId; readonly test: ValueTest }
  | { readonly segments: readonly string[] }
  | { readonly anyOf: readonly ConditionId[] };

const UNKNOWN = 0;
const FALSE = 1;
const TRUE = 2;

/**
 * The distinct conditions of all filters. Each is evaluated at most once per event, and each path is read at most
 * once, however many destinations ask.
 */
export class ConditionMemo {
  private readonly paths: EventPath[] = [];
  private readonly tests: Test[] = [];
  private readonly ids = new Map<string, number>();
  private values: (JsonValue | undefined)[] = [];
  private valueKnown = new Uint8Array(0);
  private verdicts = new Uint8Array(0);
  private event: CustomerEvent | undefined;
  private person: PersonOfEvent = STRANGER;
  private nowMs = 0;

  addCondition({ path, operator, comparand }: EventCondition): ConditionId {
    const pathId = this.addPath(path);
    return this.addTest(['condition', pathId, operator, comparand], () => ({
      pathId,
      test: compileOperator(operator, comparand),
    }));
  }

  /** That the person is in at least one of the segments. */
  addSegments(segments: readonly string[]): ConditionId {
    return this.addTest(['segments', segments], () => ({ segments }));
  }

  /** That at least one of the conditions holds. */
  addAny(anyOf: readonly ConditionId[]): ConditionId {
    return this.addTest(['any', anyOf], () => ({ anyOf }));
  }

  addPath(path: EventPath): PathId {
    return this.idOf(['path', path], () => {
      this.valueKnown = new Uint8Array(this.paths.length + 1);
      return this.paths.push(path) - 1;
    });
  }

  /** Makes `event` the one that the next questions are about. */
  start(event: CustomerEvent, person: PersonOfEvent, nowMs: number): void {
    this.event = event;
    this.person = person;
    this.nowMs = nowMs;
    this.verdicts.fill(UNKNOWN);
    this.valueKnown.fill(0);
  }

  holds(id: ConditionId): boolean {
    const verdict = this.verdicts[id];
    if (verdict !== UNKNOWN) return verdict === TRUE;
    const holds = this.evaluate(id);
    this.verdicts[id] = holds ? TRUE : FALSE;
    return holds;
  }

  value(id: PathId): JsonValue | undefined {
    if (this.valueKnown[id] === 1) return this.values[id];
    const value = this.event && valueSeen(this.event, this.person, this.paths[id] ?? []);
    this.values[id] = value;
    this.valueKnown[id] = 1;
    return value;
  }

  private evaluate(id: ConditionId): boolean {
    const test = this.tests[id];
    if (test === undefined) return false;
    if ('pathId' in test) return test.test(this.value(test.pathId), this.nowMs);
    if ('anyOf' in test) return test.anyOf.some((condition) => this.holds(condition));
    return test.segments.some((segmentId) => this.person.segments.has(segmentId));
  }

  private addTest(key: readonly unknown[], make: () => Test): ConditionId {
    return this.idOf(key, () => {
      this.verdicts = new Uint8Array(this.tests.length + 1);
      return this.tests.push(make()) - 1;
    });
  }

  private idOf(key: readonly unknown[], add: () => number): number {
    const text = JSON.stringify(key);
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = add();
    this.ids.set(text, id);
    return id;
  }
}
