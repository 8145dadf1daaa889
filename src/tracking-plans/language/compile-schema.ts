import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020';
import type { JsonObject } from '../../events/customer-event';
import { FORMATS } from './formats';
import { compilePattern } from './pattern';
import { SAME_JSON_KEYWORDS } from './same-json-keywords';
import { TEXT_LENGTHS } from './text-length';

/** A quotient is whole when it is within 10^-6 of a whole number: 19.99 is a multiple of 0.01. */
const MULTIPLE_OF_DECIMALS = 6;

/** The errors of a value; empty when it is valid. */
export type CheckSchema = (value: unknown) => readonly ErrorObject[];

/**
 * Compiles a schema that `inspectSchema` let pass. Each has an ajv of its own: one keeps what it has compiled for ever.
 * @param allErrors whether the errors are all there are, or the first one
 */
export function compileSchema(schema: JsonObject, allErrors: boolean): CheckSchema {
  const ajv = new Ajv2020({
    allErrors,
    // `inspectSchema` has checked it, and says more.
    strict: false,
    validateSchema: false,
    meta: false,
    addUsedSchema: false,
    logger: false,
    // A member called `constructor` is there only when the event has it.
    ownProperties: true,
    multipleOfPrecision: MULTIPLE_OF_DECIMALS,
    code: {
      regExp: Object.assign((expression: string) => compilePattern(expression), { code: 'compilePattern' }),
    },
    formats: FORMATS,
  });
  // No schema asks what was evaluated.
  ajv.opts.unevaluated = false;
  for (const definition of [...SAME_JSON_KEYWORDS, ...TEXT_LENGTHS]) {
    ajv.removeKeyword(String(definition.keyword)).addKeyword(definition);
  }
  const { $schema: _, ...rest } = schema;
  const validate: ValidateFunction = ajv.compile(rest);
  return (value) => (validate(value) ? NONE : (validate.errors ?? NONE));
}

const NONE: readonly ErrorObject[] = [];
