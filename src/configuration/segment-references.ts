import type { JsonValue } from '../events/customer-event';
import type { InputProblems } from '../platform/http/input/input-problems';
import type { Configuration } from './configuration-reader';
import type { ConfigDocumentDto } from './dto/config-document.dto';

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
interface NamedRules {
  readonly name: string;
  /** What it asks about is named likewise. */
  readonly rules: readonly unknown[];
}

/** The names in an order in which each comes after those that it asks about; and those that have none, in circles. */
export function orderByReferences(segments: readonly NamedRules[]): { order: string[]; circular: string[] } {
  const waiting = new Map(
    segments.map(({ name, rules }) => [name, new Set(namesInRules(rules as JsonValue[]))]),
  );
  const askers = new Map<string, string[]>();
  const order: string[] = [];
  for (const [name, asked] of waiting) {
    for (const one of asked) {
      if (!waiting.has(one)) asked.delete(one);
      askers.set(one, askers.get(one) ?? []);
      askers.get(one)?.push(name);
    }
    if (asked.size === 0) order.push(name);
  }
  // It grows on the way.
  for (const name of order) {
    for (const asker of askers.get(name) ?? []) {
      const asked = waiting.get(asker);
      asked?.delete(name);
      if (asked?.size === 0) order.push(asker);
    }
    waiting.delete(name);
  }
  return { order, circular: [...waiting.keys()] };
}

/** Circles are problems of a document, also those over segments that it leaves alone. */
export function checkCircles(
  document: ConfigDocumentDto,
  configuration: Configuration,
  problems: InputProblems,
): void {
  const circular = new Set(orderByReferences(segmentsAfter(document, configuration)).circular);
  const keyOf = keysOf(configuration);
  for (const [index, { name }] of (document.segments ?? []).entries()) {
    if (!circular.has(keyOf(name))) continue;
    const message = `The rules of "${name}" ask about the segment itself, or about one in such a circle.`;
    problems.fail(`segments[${index}].rules`, 'segment_cycle', message);
  }
}

/**
 * The segments that there are once the document is applied, named by their keys. Those that it deletes do no harm: it
 * asks about none of them.
 */
export function segmentsAfter(
  { segments = [] }: ConfigDocumentDto,
  configuration: Configuration,
): NamedRules[] {
  const keyOf = keysOf(configuration);
  const listed = segments.map(({ name, rules }) => withKeys(keyOf(name), rules, keyOf));
  const keys = new Set(listed.map(({ name }) => name));
  const others = configuration.segments.filter(({ id }) => !keys.has(id));
  return [...listed, ...others.map(({ id, rules }) => withKeys(id, rules, (asked) => asked.toLowerCase()))];
}

/** The key of a segment by its name: its id where it has one yet, because several may have the same name. */
export function keysOf({ segments }: Configuration): (name: string) => string {
  const ids = new Map(segments.map(({ id, name }) => [name, id]));
  return (name) => ids.get(name) ?? name;
}

function withKeys(name: string, rules: readonly unknown[], keyOf: (asked: string) => string): NamedRules {
  return { name, rules: renameSegments(rules as JsonValue[], keyOf) };
}
