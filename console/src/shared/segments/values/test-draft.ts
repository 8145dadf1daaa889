import { LABELS, PARTS } from '../field-labels';
import {
  arityOf,
  type Compared,
  firstOperator,
  type Operator,
  OPERATORS_OF,
  type ValueKind,
  valueKindsOf,
} from './value-language';

/** A value while it is written. */
export interface ValueDraft {
  readonly kind: ValueKind;
  readonly text: string;
}

/** An operator, and what it compares with: nothing, a value or a list of them. */
export interface TestDraft {
  readonly operator: Operator;
  readonly values: readonly ValueDraft[];
}

/** The test of a rule or condition as the API takes it. */
export interface Test {
  readonly operator: Operator;
  readonly value?: unknown;
}

/** A time and an id are some text; a trait and a group may have the empty one. */
const NEVER_EMPTY: readonly Compared[] = ['time', 'segment'];

export function newTest(compared: Compared): TestDraft {
  return adaptTest({ operator: firstOperator(compared), values: [] }, compared);
}

/** The test with an operator that goes with what is compared, and values that go with the operator. */
export function adaptTest({ operator: wanted, values }: TestDraft, compared: Compared): TestDraft {
  const operator = OPERATORS_OF[compared].includes(wanted) ? wanted : firstOperator(compared);
  return { operator, values: valuesFor(operator, compared, values) };
}

function valuesFor(operator: Operator, compared: Compared, before: readonly ValueDraft[]): ValueDraft[] {
  const arity = arityOf(operator);
  if (arity === 'none') return [];
  const kinds = valueKindsOf(compared, operator);
  const first = { kind: kinds[0] ?? 'text', text: '' };
  const kept = before.map((value) => (kinds.includes(value.kind) ? value : { ...first, text: value.text }));
  if (kept.length === 0) return [first];
  return arity === 'one' ? kept.slice(0, 1) : kept;
}

/** Undefined when it is none of the language. */
export function readTest(
  { operator: text, value }: { readonly operator?: unknown; readonly value?: unknown },
  compared: Compared,
): TestDraft | undefined {
  const operator = OPERATORS_OF[compared].find((one) => one === text);
  const values = operator && readValues(value, operator, compared);
  return values && { operator, values };
}

function readValues(value: unknown, operator: Operator, compared: Compared): ValueDraft[] | undefined {
  const arity = arityOf(operator);
  if (arity === 'none') return [];
  if (arity === 'many' && !Array.isArray(value)) return undefined;
  const given: unknown[] = arity === 'many' ? (value as unknown[]) : [value];
  const kinds = valueKindsOf(compared, operator);
  const read = given.map(readValue);
  return read.every((one) => one !== undefined && kinds.includes(one.kind))
    ? (read as ValueDraft[])
    : undefined;
}

function readValue(value: unknown): ValueDraft | undefined {
  switch (typeof value) {
    case 'string':
      return { kind: 'text', text: value };
    case 'number':
    case 'boolean':
      return { kind: typeof value as 'number' | 'boolean', text: String(value) };
    case 'object':
      return value === null ? { kind: 'null', text: '' } : { kind: 'json', text: JSON.stringify(value) };
    default:
      return undefined;
  }
}

/** Undefined while a value is missing, or is none. */
export function writeTest({ operator, values }: TestDraft, compared: Compared): Test | undefined {
  const arity = arityOf(operator);
  if (arity === 'none') return { operator };
  const written = values.map((value) => writeValue(value, compared));
  if (written.length === 0 || written.includes(undefined)) return undefined;
  return { operator, value: arity === 'many' ? written : written[0] };
}

/** The fields without which `writeTest` has no test. */
export function missingInTest({ operator, values }: TestDraft, compared: Compared): string[] {
  const arity = arityOf(operator);
  if (arity === 'none') return [];
  if (values.length === 0) return [LABELS.value];
  return values.flatMap((value, index) => {
    if (writeValue(value, compared) !== undefined) return [];
    return [arity === 'many' ? PARTS.value(index) : LABELS.value];
  });
}

function writeValue({ kind, text }: ValueDraft, compared: Compared): unknown {
  switch (kind) {
    case 'text':
      return text === '' && NEVER_EMPTY.includes(compared) ? undefined : text;
    case 'number':
      return text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true';
    case 'null':
      return null;
    case 'json':
      return parseJson(text);
  }
}

function parseJson(text: string): unknown {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined; // It is still being written.
  }
}

/** What keeps a value that is written from being one: for people. Nothing is written yet: that is no problem. */
export function valueProblem(value: ValueDraft): string | undefined {
  if (value.text.trim() === '' || writeValue(value, 'anything') !== undefined) return undefined;
  return value.kind === 'number' ? 'This is no number.' : 'This is no list or object in JSON.';
}
