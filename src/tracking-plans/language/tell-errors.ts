import type { ErrorObject } from 'ajv';
import { memberOf, pathOf, targetAt } from './place';
import { MAX_VIOLATIONS, type Action, type Finding } from './plan';
import { pointerSegments } from './resolve-reference';

/** Keywords that sum up what is wrong with the schemas in them. */
const SUMMARIES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames']);
/** The error names the member that should be there. */
const MISSING: ReadonlySet<string> = new Set(['required', 'dependentRequired']);
/** Errors of an object that name the member which is wrong, in this parameter. */
const NAMING: ReadonlyMap<string, string> = new Map([
  ['additionalProperties', 'additionalProperty'],
  ['propertyNames', 'propertyName'],
]);

/** What a schema finds wrong with an event, in the words of plans. */
export function tellErrors(
  errors: readonly ErrorObject[],
  event: unknown,
  { rule, action }: { readonly rule: string; readonly action: Action },
): Finding[] {
  return withoutDetails(errors)
    .slice(0, MAX_VIOLATIONS)
    .map((error) => {
      const { keyword, message = 'is not valid' } = error;
      const segments = segmentsOf(error);
      const target = MISSING.has(keyword) ? undefined : targetAt(segments, event);
      return {
        rule,
        path: pathOf(segments, event),
        code: 'schema_violation',
        keyword,
        message: `It ${MISSING.has(keyword) ? 'must be there' : message}.`,
        action,
        targets: target === undefined ? [] : [target],
      };
    });
}

/** An `if` only says that its `then` has failed; what is wrong in each branch of an `anyOf` is summed up by it. */
function withoutDetails(errors: readonly ErrorObject[]): ErrorObject[] {
  const summaries = errors.filter(({ keyword }) => SUMMARIES.has(keyword));
  const told = errors.filter(
    (error) =>
      error.keyword !== 'if' && !summaries.some((summary) => summary !== error && isDetail(error, summary)),
  );
  return told.length > 0 ? told : errors.slice(0, 1);
}

function isDetail(error: ErrorObject, summary: ErrorObject): boolean {
  const { instancePath: place, schemaPath } = summary;
  const isBelow = error.instancePath === place || error.instancePath.startsWith(`${place}/`);
  // Errors of what a `$ref` names have the path of the definition.
  return (
    isBelow &&
    [`${schemaPath}/`, '#/$defs/', '#/definitions/'].some((start) => error.schemaPath.startsWith(start))
  );
}

function segmentsOf({ keyword, instancePath, params }: ErrorObject): string[] {
  const named = MISSING.has(keyword) ? 'missingProperty' : NAMING.get(keyword);
  const name = named === undefined ? undefined : memberOf(params, named);
  return [...pointerSegments(instancePath), ...(typeof name === 'string' ? [name] : [])];
}
