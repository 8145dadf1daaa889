import { ValidationPipe } from '@nestjs/common';
import { instanceToPlain } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { InvalidRequestError, type ProblemDetail } from '../problems/problem';
import { joinPath, unknownField } from './problem-paths';
import { toInstance } from './to-instance';

/** How class-validator is run on every input: unknown members are refused, so mass assignment is impossible. */
export const VALIDATION_RULES = { whitelist: true, forbidNonWhitelisted: true } as const;

export function createValidationPipe(): ValidationPipe {
  return new StrictValidationPipe({
    ...VALIDATION_RULES,
    transform: true,
    transformerPackage: { plainToInstance: toInstance, classToPlain: instanceToPlain },
    exceptionFactory: (errors: ValidationError[]) => new InvalidRequestError(toProblemDetails(errors)),
  });
}

/** Takes no member away unseen: {@link toInstance} refuses what cannot be. */
class StrictValidationPipe extends ValidationPipe {
  protected override stripProtoKeys(): void {}
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
        ? unknownField(error.property, path)
        : { path, code: snakeCase(rule), message },
    );
    return [...own, ...toProblemDetails(error.children ?? [], path)];
  });
}

const TYPE_RULES = ['isString', 'isInt', 'isArray', 'isObject'];

function snakeCase(rule: string): string {
  return rule.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
