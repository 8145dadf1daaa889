import type { JsonValue } from '../events/customer-event';
import type { InputProblems } from '../platform/http/input/input-problems';

/** In a document the rules of a segment name other segments by their names, over the API by their ids. */
export function renameSegments(
  rules: readonly JsonValue[],
  rename: (given: string, path: string) => string | undefined,
  path = 'rules',
): JsonValue[] {
  return rules.map((rule, index) => {
    if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return rule;
    const place = `${path}[${index}]`;
    if (Array.isArray(rule.rules))
      return { ...rule, rules: renameSegments(rule.rules, rename, `${place}.rules`) };
    const { field, value } = rule;
    return field === 'segments' && typeof value === 'string'
      ? { ...rule, value: rename(value, `${place}.value`) ?? value }
      : rule;
  });
}

/** The names of the segments that rules ask about. */
function namesInRules(rules: readonly JsonValue[]): string[] {
  const names: string[] = [];
  renameSegments(rules, (name) => {
    names.push(name);
    return undefined;
  });
  return names;
}

/** A segment of a document or of the configuration. */
export interface NamedRules {
  readonly name: string;
  /** What it asks about is named by names. */
  readonly rules: readonly unknown[];
}

/** The names in an order in which each comes after those that it asks about; and those that have none, in circles. */
export function orderByReferences(segments: readonly NamedRules[]): { order: string[]; circular: string[] } {
  const waiting = new Map(segments.map(({ name, rules }) => [name, namesInRules(rules as JsonValue[])]));
  const order: string[] = [];
  for (;;) {
    const free = [...waiting].filter(([, asked]) => !asked.some((name) => waiting.has(name)));
    if (free.length === 0) return { order, circular: [...waiting.keys()] };
    for (const [name] of free) {
      order.push(name);
      waiting.delete(name);
    }
  }
}

/** Circles are problems of a document. */
export function checkCircles(segments: readonly NamedRules[], problems: InputProblems): void {
  for (const name of orderByReferences(segments).circular) {
    const index = segments.findIndex((segment) => segment.name === name);
    const message = `The rules of "${name}" ask about the segment itself, or about one in such a circle.`;
    problems.fail(`segments[${index}].rules`, 'segment_cycle', message);
  }
}
