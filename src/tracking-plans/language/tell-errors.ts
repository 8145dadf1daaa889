import type { ErrorObject } from 'ajv';
import { memberOf, pathOf, shortened, targetAt } from './violation-path';
import { MAX_VIOLATIONS, type Action, type Finding } from './plan';
import { pointerSegments, toPointer } from './resolve-reference';

/** Keywords that sum up what is wrong with the schemas in them. */
const SUMMARIES: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames']);
/** The error names the member that should be there. */
const MISSING: ReadonlySet<string> = new Set(['required', 'dependentRequired']);
/** Errors of an object that name the member which is wrong, in this parameter. */
const NAMING: ReadonlyMap<string, string> = new Map([
  ['additionalProperties', 'additionalProperty'],
  ['propertyNames', 'propertyName'],
]);

/**
 * What a schema finds wrong with an event, in the words of plans. Beyond those that are told there are only findings
 * that omit something else.
 */
export function tellErrors(
  errors: readonly ErrorObject[],
  event: unknown,
  { rule, action }: { readonly rule: string; readonly action: Action },
): Finding[] {
  const findings: Finding[] = [];
  const omitted = new Set<string>();
  for (const error of withoutDetails(errors)) {
    const isTold = findings.length < MAX_VIOLATIONS;
    if (!isTold && action !== 'omit') break;
    const segments = segmentsOf(error);
    const target = MISSING.has(error.keyword) ? undefined : targetAt(segments, event);
    const isNew = target !== undefined && !omitted.has(toPointer(target));
    if (isNew) omitted.add(toPointer(target));
    if (!isTold && !isNew) continue;
    const path = pathOf(segments, event);
    const { keyword } = error;
    const message = messageOf(error);
    const targets = isNew ? [target] : [];
    findings.push({ rule, path, code: 'schema_violation', keyword, message, action, targets });
  }
  return findings;
}

function messageOf({ keyword, message = 'is not valid' }: ErrorObject): string {
  return shortened(`It ${MISSING.has(keyword) ? 'must be there' : message}.`);
}

/**
 * An `if` only says that its `then` has failed; what is wrong in each branch of an `anyOf` is summed up by it. ajv
 * tells details right before their summary, so that each error is looked at once or twice, however many there are.
 */
function withoutDetails(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const told: ErrorObject[] = [];
  for (const error of errors) {
    if (error.keyword === 'if') continue;
    if (SUMMARIES.has(error.keyword)) dropDetails(told, error);
    told.push(error);
  }
  return told.length > 0 ? told : errors.slice(0, 1);
}

function dropDetails(told: ErrorObject[], summary: ErrorObject): void {
  for (let last = told.at(-1); last !== undefined && isDetail(last, summary); last = told.at(-1)) told.pop();
}

function isDetail(error: ErrorObject, summary: ErrorObject): boolean {
  const { instancePath, schemaPath } = summary;
  const isBelow = error.instancePath === instancePath || error.instancePath.startsWith(`${instancePath}/`);
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
