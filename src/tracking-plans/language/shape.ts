import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { compilePattern, type Pattern } from './pattern';
import { resolveReference } from './resolve-reference';

/** Which members and elements a schema names. What several schemas say of one value are several shapes. */
export interface Shape {
  readonly names: ReadonlyMap<string, readonly Shape[]>;
  readonly patterns: readonly { readonly pattern: Pattern; readonly shapes: readonly Shape[] }[];
  readonly items: readonly Shape[];
  readonly prefixItems: readonly (readonly Shape[])[];
}

/** Keywords whose schemas are of the same value. `not` names what must not be there. */
const OF_THE_SAME_VALUE = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'] as const;
const OF_ELEMENTS = ['items', 'contains'] as const;

/** The shapes of a schema that `inspectSchema` let pass, with those that its applicators and references add. */
export function shapesOf(schema: JsonValue | undefined, root: JsonObject): Shape[] {
  if (!isJsonObject(schema)) return [];
  const others = OF_THE_SAME_VALUE.flatMap((keyword) => schemasIn(keyword, schema[keyword]));
  const referred = typeof schema.$ref === 'string' ? [resolveReference(schema.$ref, root)] : [];
  return [ownShape(schema, root), ...[...others, ...referred].flatMap((one) => shapesOf(one, root))];
}

/** Keywords that look at every member of an object, whatever its name. */
const OF_ALL_MEMBERS = [
  'additionalProperties',
  'patternProperties',
  'propertyNames',
  'minProperties',
  'maxProperties',
  'const',
  'enum',
];

/** Whether a schema looks at every member of the value itself, not only at those that it names. */
export function countsMembers(schema: JsonValue | undefined, root: JsonObject): boolean {
  if (!isJsonObject(schema)) return false;
  if (OF_ALL_MEMBERS.some((keyword) => keyword in schema)) return true;
  const others = [...OF_THE_SAME_VALUE, 'not'].flatMap((keyword) => schemasIn(keyword, schema[keyword]));
  const referred = typeof schema.$ref === 'string' ? [resolveReference(schema.$ref, root)] : [];
  return [...others, ...referred].some((one) => countsMembers(one, root));
}

function ownShape(schema: JsonObject, root: JsonObject): Shape {
  const { properties = {}, patternProperties = {}, prefixItems = [] } = schema;
  return {
    names: new Map(
      Object.entries(properties ?? {}).map(([name, one]) => [name, shapesOf(one as JsonValue, root)]),
    ),
    patterns: Object.entries(patternProperties ?? {}).map(([expression, one]) => ({
      pattern: compilePattern(expression),
      shapes: shapesOf(one as JsonValue, root),
    })),
    items: OF_ELEMENTS.flatMap((keyword) => shapesOf(schema[keyword], root)),
    prefixItems: Array.isArray(prefixItems) ? prefixItems.map((one) => shapesOf(one, root)) : [],
  };
}

function schemasIn(keyword: string, value: JsonValue | undefined): JsonValue[] {
  if (Array.isArray(value)) return value;
  if (keyword === 'dependentSchemas') return Object.values(isJsonObject(value) ? value : {});
  return value === undefined ? [] : [value];
}

/**
 * The members below the member `name` of an event, at any depth, that no shape names, as their names from the event on.
 * Of an object of which no shape names anything, nothing is unplanned.
 */
export function findUnnamed(
  value: unknown,
  shapes: readonly Shape[],
  name: string,
  found: (segments: readonly string[]) => void,
): void {
  walk(value, shapes, { segments: [name], found });
}

interface Walk {
  /** Where it is. */
  readonly segments: string[];
  readonly found: (segments: readonly string[]) => void;
}

function walk(value: unknown, shapes: readonly Shape[], at: Walk): void {
  if (shapes.length === 0 || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return walkElements(value, shapes, at);
  const namesAny = shapes.some(({ names, patterns }) => names.size > 0 || patterns.length > 0);
  if (!namesAny) return;
  const members = value as Record<string, unknown>;
  // What comes from JSON inherits no members, and this way they cost least.
  for (const name in members) {
    const below = ofMember(shapes, name);
    const member = members[name];
    if (below !== undefined && (typeof member !== 'object' || member === null)) continue;
    at.segments.push(name);
    if (below === undefined) at.found([...at.segments]);
    else walk(member, below, at);
    at.segments.pop();
  }
}

function walkElements(elements: readonly unknown[], shapes: readonly Shape[], at: Walk): void {
  for (const [index, element] of elements.entries()) {
    at.segments.push(String(index));
    walk(element, ofElement(shapes, index), at);
    at.segments.pop();
  }
}

/** Undefined when no shape names it. */
function ofMember(shapes: readonly Shape[], name: string): readonly Shape[] | undefined {
  let below: readonly Shape[] | undefined;
  for (const { names, patterns } of shapes) {
    const named = names.get(name);
    if (named !== undefined) below = below === undefined ? named : [...below, ...named];
    for (const { pattern, shapes: matched } of patterns) {
      if (pattern.test(name)) below = [...(below ?? []), ...matched];
    }
  }
  return below;
}

function ofElement(shapes: readonly Shape[], index: number): readonly Shape[] {
  return shapes.flatMap(({ items, prefixItems }) => prefixItems[index] ?? items);
}
