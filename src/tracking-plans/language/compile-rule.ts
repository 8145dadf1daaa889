import { hash } from 'node:crypto';
import type { JsonObject } from '../../events/customer-event';
import { compileSchema, type CheckSchema } from './compile-schema';
import { MAX_CHECKS } from './limits';
import { costOf } from './schema-cost';
import type { FreeMember } from './plan';
import { countsMembers, type Shape, shapesOf } from './shape';
import type { ErrorObject } from 'ajv';

/** A schema that is ready to look at events. It has no name and no action: rules with the same schema share it. */
export interface CompiledRule {
  /** All errors of an event. One with more values than can be checked in time has that one error. */
  readonly check: (event: unknown) => readonly ErrorObject[];
  /** Which properties and traits it names. */
  readonly shapes: Readonly<Record<FreeMember, readonly Shape[]>>;
}

/** Of an event: each of its values would be looked at by so many nodes that it could hold up others. */
export const TOO_MANY_VALUES: ErrorObject = {
  keyword: 'tooManyValues',
  instancePath: '',
  schemaPath: '#',
  params: {},
  message: 'has more values than its rule can check in time',
};

/**
 * Compiles the schema of a rule that `parsePlan` let pass: some milliseconds. Most events are valid, so what is run
 * first ends at the first error; all errors are looked for when there is one.
 */
export function compileRule(schema: JsonObject): CompiledRule {
  const maxValues = MAX_CHECKS / costOf(schema).ofEach;
  const findFirst = compileSchema(schema, false);
  let findAll: CheckSchema | undefined;
  const prepare = countsMembers(schema, schema) ? withoutUndefined : (event: unknown) => event;
  let shapes: CompiledRule['shapes'] | undefined;
  return {
    check: (given) => {
      const event = prepare(given);
      if (Number.isFinite(maxValues) && countValues(event, maxValues) > maxValues) return [TOO_MANY_VALUES];
      const first = findFirst(event);
      if (first.length === 0) return first;
      findAll ??= compileSchema(schema, true);
      return findAll(event);
    },
    get shapes() {
      return (shapes ??= freeShapes(schema));
    },
  };
}

/** What rules with the same schema share in a {@link RuleCache}. */
export function schemaKey(schema: JsonObject): string {
  return hash('sha256', JSON.stringify(schema), 'base64');
}

/** Compiled rules by {@link schemaKey}: a plan that changes in one rule compiles one. */
export class RuleCache {
  private readonly rules = new Map<string, CompiledRule>();

  get size(): number {
    return this.rules.size;
  }

  get(key: string, schema: JsonObject): CompiledRule {
    let rule = this.rules.get(key);
    if (rule === undefined) {
      rule = compileRule(schema);
      this.rules.set(key, rule);
    }
    return rule;
  }

  /** Forgets what no plan has any more. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.rules.keys()) if (!keys.has(key)) this.rules.delete(key);
  }
}

function freeShapes(schema: JsonObject): CompiledRule['shapes'] {
  const ofEvent = shapesOf(schema, schema);
  const below = (member: FreeMember): Shape[] => ofEvent.flatMap(({ names }) => names.get(member) ?? []);
  return { properties: below('properties'), traits: below('traits') };
}

/** Members that are undefined are none, but a schema that looks at all members would see them. */
function withoutUndefined(event: unknown): unknown {
  if (typeof event !== 'object' || event === null) return event;
  return Object.fromEntries(Object.entries(event).filter(([, member]) => member !== undefined));
}

/** The values in a value, itself included; some more than `limit` when there are more. */
export function countValues(value: unknown, limit = Infinity): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value)) {
    count += countValues(member, limit - count);
    if (count > limit) break;
  }
  return count;
}
