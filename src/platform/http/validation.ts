import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { InvalidRequestError, type ProblemDetail } from './problem';

/** How class-validator is run on every input: unknown members are refused, so mass assignment is impossible. */
export const VALIDATION_RULES = { whitelist: true, forbidNonWhitelisted: true } as const;

export function createValidationPipe(): ValidationPipe {
  return new ValidationPipe({
    ...VALIDATION_RULES,
    transform: true,
    exceptionFactory: (errors: ValidationError[]) => new InvalidRequestError(toProblemDetails(errors)),
  });
}

/** Flattens class-validator's tree into one entry per broken rule, each with its JSON path under `prefix`. */
export function toProblemDetails(errors: readonly ValidationError[], prefix = ''): ProblemDetail[] {
  return errors.flatMap((error) => {
    const path = joinPath(prefix, error.property);
    const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
      path,
      code: rule === 'whitelistValidation' ? 'unknown_field' : snakeCase(rule),
      message: rule === 'whitelistValidation' ? `${error.property} is not a known field` : message,
    }));
    return [...own, ...toProblemDetails(error.children ?? [], path)];
  });
}

function joinPath(prefix: string, property: string): string {
  if (/^\d+$/.test(property)) return `${prefix}[${property}]`;
  return prefix === '' ? property : `${prefix}.${property}`;
}

function snakeCase(rule: string): string {
  return rule.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
