import type { JsonObject } from '../../events/customer-event';
import { compileSchema, type CheckSchema } from './compile-schema';
import type { PlanRule } from './plan';
import { costOf } from './schema-cost';
import { type Shape, shapesOf } from './shape';
import type { ErrorObject } from 'ajv';

/** Values times parts of the schema that are looked at for each of them: beyond it only the first error is looked for. */
const MAX_CHECKS_FOR_ALL_ERRORS = 100_000;

/** The errors of an event. */
export interface SchemaErrors {
  readonly errors: readonly ErrorObject[];
  /** Whether there may be more. */
  readonly areFirst: boolean;
}

/** A schema that is ready to look at events. It has no name and no action: rules with the same schema share it. */
export interface CompiledRule {
  readonly check: (event: unknown) => SchemaErrors;
  readonly shapes: readonly Shape[];
}

/**
 * Compiles the schema of a rule that `parsePlan` let pass: some milliseconds. Most events are valid, so what is run first
 * ends at the first error; all errors are looked for when there is one.
 */
export function compileRule({ schema }: Pick<PlanRule, 'schema'>): CompiledRule {
  const findFirst = compileSchema(schema, false);
  const costOfEach = Math.max(1, costOf(schema).ofEach);
  let findAll: CheckSchema | undefined;
  let shapes: readonly Shape[] | undefined;
  return {
    check: (event) => {
      const first = findFirst(event);
      if (first.length === 0) return { errors: first, areFirst: false };
      if (
        countValues(event, MAX_CHECKS_FOR_ALL_ERRORS / costOfEach) >
        MAX_CHECKS_FOR_ALL_ERRORS / costOfEach
      ) {
        return { errors: first, areFirst: true };
      }
      findAll ??= compileSchema(schema, true);
      return { errors: findAll(event), areFirst: false };
    },
    get shapes() {
      return (shapes ??= shapesOf(schema, schema));
    },
  };
}

/** Compiled rules by the text of their schemas: a plan that changes in one rule compiles one. */
export class RuleCache {
  private readonly rules = new Map<string, CompiledRule>();

  get size(): number {
    return this.rules.size;
  }

  get(key: string, schema: JsonObject): CompiledRule {
    let rule = this.rules.get(key);
    if (rule === undefined) {
      rule = compileRule({ schema });
      this.rules.set(key, rule);
    }
    return rule;
  }

  /** Forgets what no plan has any more. */
  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.rules.keys()) if (!keys.has(key)) this.rules.delete(key);
  }
}

/** The values in a value, itself included; some more than `limit` when there are more. */
function countValues(value: unknown, limit: number): number {
  if (typeof value !== 'object' || value === null) return 1;
  let count = 1;
  for (const member of Object.values(value)) {
    count += countValues(member, limit - count);
    if (count > limit) break;
  }
  return count;
}
