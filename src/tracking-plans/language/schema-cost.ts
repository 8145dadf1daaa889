import { isJsonObject, type JsonObject, type JsonValue } from '../../events/customer-event';
import { KEYWORDS } from './keywords';
import { CHARACTERS_A_NODE, CHOICES_A_NODE, INSTRUCTIONS_A_NODE, MAX_COST, MAX_COST_OF_EACH } from './limits';
import { programSize } from './pattern';
import { resolveReference } from './resolve-reference';

/** They look at each member, or with `true` at all that is in the elements. */
const OF_ALL: ReadonlySet<string> = new Set(['minProperties', 'maxProperties', 'uniqueItems']);
const COMPARING: ReadonlySet<string> = new Set(['const', 'enum']);
const LENGTHS: ReadonlySet<string> = new Set(['minLength', 'maxLength']);

/**
 * What a schema costs, in nodes: all of it, and what is looked at for each element of an array or member of an object.
 */
export interface SchemaCost {
  total: number;
  ofEach: number;
}

/** A `$ref` that leads back to itself would make a tree without an end. */
export class RecursiveReferenceError extends Error {}

/**
 * The size of the tree that a schema is when each `$ref` is replaced by what it names. A value of an event is looked at
 * by each node at most once, so this times the size of the event bounds what judging it costs. Counting ends where the
 * limits do. It must have been checked.
 * @throws RecursiveReferenceError
 */
export function costOf(root: JsonObject): SchemaCost {
  const cost: SchemaCost = { total: 0, ofEach: 0 };
  expand(root, { root, cost, isOfEach: false, open: [] });
  return cost;
}

interface Walk {
  readonly root: JsonObject;
  readonly cost: SchemaCost;
  readonly isOfEach: boolean;
  /** The references that are being followed. */
  readonly open: readonly string[];
}

function expand(schema: JsonValue | undefined, walk: Walk): void {
  charge(1, walk);
  if (!isJsonObject(schema) || isOver(walk.cost)) return;
  for (const [keyword, value] of Object.entries(schema)) expandKeyword(keyword, value, walk);
}

function expandKeyword(keyword: string, value: JsonValue, walk: Walk): void {
  const ofEach: Walk = { ...walk, isOfEach: true };
  switch (KEYWORDS.get(keyword)) {
    case 'schema':
      return expand(value, walk);
    case 'schemas':
    case 'schemaMap':
      return Object.values(value ?? {}).forEach((one) => expand(one as JsonValue, walk));
    case 'schemaOfEach':
      return expand(value, ofEach);
    case 'patternMap':
      for (const [expression, one] of Object.entries(value ?? {})) {
        charge(costOfPattern(expression), ofEach);
        expand(one as JsonValue, ofEach);
      }
      return;
    case 'reference':
      return follow(value as string, walk);
    case 'value':
      return charge(costOfValue(keyword, value), looksAtEach(keyword, value) ? ofEach : walk);
    case 'definitions':
    case 'annotation':
    case undefined:
  }
}

function follow(reference: string, walk: Walk): void {
  if (walk.open.includes(reference)) throw new RecursiveReferenceError(reference);
  expand(resolveReference(reference, walk.root), { ...walk, open: [...walk.open, reference] });
}

/** Whether a keyword looks at all that is in the value, as one does that compares it with an object. */
function looksAtEach(keyword: string, value: JsonValue): boolean {
  return OF_ALL.has(keyword) || (COMPARING.has(keyword) && [value].flat().some(isComposed));
}

function isComposed(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null;
}

function costOfValue(keyword: string, value: JsonValue): number {
  if (typeof value === 'number' && LENGTHS.has(keyword)) return 1 + Math.ceil(value / CHARACTERS_A_NODE);
  if (keyword === 'pattern') return costOfPattern(value as string);
  if (keyword === 'enum' && Array.isArray(value)) return Math.ceil(value.reduce(costOfChoice, 0));
  return nodesOf(value);
}

function costOfChoice(sum: number, choice: JsonValue): number {
  return sum + (isComposed(choice) ? nodesOf(choice) : 1 / CHOICES_A_NODE);
}

function costOfPattern(expression: string): number {
  return 1 + Math.ceil(programSize(expression) / INSTRUCTIONS_A_NODE);
}

function nodesOf(value: JsonValue): number {
  if (!isComposed(value)) return 1;
  return Object.values(value ?? {}).reduce<number>((sum, member) => sum + nodesOf(member), 1);
}

function charge(nodes: number, { cost, isOfEach }: Walk): void {
  cost.total += nodes;
  if (isOfEach) cost.ofEach += nodes;
}

function isOver({ total, ofEach }: SchemaCost): boolean {
  return total > MAX_COST || ofEach > MAX_COST_OF_EACH;
}
