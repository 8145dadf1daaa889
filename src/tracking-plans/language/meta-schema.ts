import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020';
import type { JsonObject } from '../../events/customer-event';
import type { InputProblems } from '../../platform/http/input/input-problems';
import { DIALECT } from './keywords';
import { pointerSegments } from './resolve-reference';

/** More would tell nobody more. */
const MAX_TOLD = 20;

let metaSchema: ValidateFunction | undefined;

/** Notes which keywords of a schema have values that JSON Schema 2020-12 does not let them have. */
export function checkByMetaSchema(schema: JsonObject, path: string, problems: InputProblems): void {
  // Compiled by the first plan: a service without plans is spared it.
  metaSchema ??= new Ajv2020({ strict: false, validateFormats: false, logger: false }).getSchema(DIALECT);
  if (metaSchema === undefined) throw new Error(`ajv does not know ${DIALECT}`);
  // Its own `$schema` is looked at elsewhere.
  if (metaSchema(schema)) return;
  const told = new Set<string>();
  for (const error of metaSchema.errors ?? []) {
    const { instancePath } = error;
    if (told.size === MAX_TOLD || told.has(instancePath)) continue;
    told.add(instancePath);
    const place = pointerSegments(instancePath).map((name) =>
      /^\d+$/.test(name) ? `[${name}]` : `.${name}`,
    );
    problems.fail(`${path}${place.join('')}`, 'invalid_schema', `It ${messageOf(error)}.`);
  }
}

function messageOf({ keyword, message = 'is not valid', params }: ErrorObject): string {
  return keyword === 'enum' ? `must be one of ${(params.allowedValues as unknown[]).join(', ')}` : message;
}
