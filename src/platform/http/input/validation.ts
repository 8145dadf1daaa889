import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { InvalidRequestError, type ProblemDetail } from '../problems/problem';

/** How class-validator is run on every input: unknown members are refused, so mass assignment is impossible. */
export const VALIDATION_RULES = { whitelist: true, forbidNonWhitelisted: true } as const;

export function createValidationPipe(): ValidationPipe {
  return new StrictValidationPipe({
    ...VALIDATION_RULES,
    transform: true,
    exceptionFactory: (errors: ValidationError[]) => new InvalidRequestError(toProblemDetails(errors)),
  });
}

/** Refuses members with the names of what every object has, which class-validator lets pass. */
class StrictValidationPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const isInput = metadata.type === 'body' || metadata.type === 'query';
    const names = isInput && typeof value === 'object' && value !== null ? Object.keys(value) : [];
    const inherited = names.filter((name) => name in Object.prototype);
    if (inherited.length > 0) throw new InvalidRequestError(inherited.map(unknownField));
    return super.transform(value, metadata);
  }
}

/**
 * Flattens class-validator's tree into one entry per broken rule, each with its JSON path under `prefix`. What is not
 * there, or of another type, breaks all rules: that is told once.
 */
export function toProblemDetails(errors: readonly ValidationError[], prefix = ''): ProblemDetail[] {
  return errors.flatMap((error) => {
    const path = joinPath(prefix, error.property);
    const { constraints = {} } = error;
    const type = TYPE_RULES.find((rule) => rule in constraints);
    const broken = Object.entries(constraints).filter(([rule]) => type === undefined || rule === type);
    const own = broken.map(([rule, message]) =>
      rule === 'whitelistValidation'
        ? { ...unknownField(error.property), path }
        : { path, code: snakeCase(rule), message },
    );
    return [...own, ...toProblemDetails(error.children ?? [], path)];
  });
}

const TYPE_RULES = ['isString', 'isInt', 'isArray', 'isObject'];

function unknownField(name: string): ProblemDetail {
  return { path: name, code: 'unknown_field', message: `${name} is not a known field` };
}

function joinPath(prefix: string, property: string): string {
  if (/^\d+$/.test(property)) return `${prefix}[${property}]`;
  return prefix === '' ? property : `${prefix}.${property}`;
}

function snakeCase(rule: string): string {
  return rule.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
