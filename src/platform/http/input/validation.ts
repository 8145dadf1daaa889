import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { instanceToPlain } from 'class-transformer';
import type { ValidationError } from 'class-validator';
import { InvalidRequestError, type ProblemDetail } from '../problems/problem';
import { memberProblems } from './member-problems';
import { joinPath } from './problem-paths';
import { toInstance } from './to-instance';

/** How class-validator is run on every input: unknown members are refused, so mass assignment is impossible. */
export const VALIDATION_RULES = { whitelist: true, forbidNonWhitelisted: true } as const;

export function createValidationPipe(): ValidationPipe {
  return new StrictValidationPipe({
    ...VALIDATION_RULES,
    transform: true,
    // By them entries of lists are found that are wrong.
    validationError: { target: true, value: true },
    transformerPackage: { plainToInstance: toInstance, classToPlain: instanceToPlain },
    exceptionFactory: (errors: ValidationError[]) => new InvalidRequestError(toProblemDetails(errors)),
  });
}

class StrictValidationPipe extends ValidationPipe {
  /** @throws InvalidRequestError */
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && this.toValidate(metadata) && isNoObject(value)) {
      throw new InvalidRequestError([{ path: '', code: 'is_object', message: 'the body must be an object' }]);
    }
    const made = super.transform(value, metadata);
    return metadata.type === 'query' ? made.catch(nameParameters) : made;
  }

  /** Takes no member away unseen: {@link toInstance} refuses what cannot be. */
  protected override stripProtoKeys(): void {}
}

/** A parameter that may be given several times has no entries that could be told by their place. */
function nameParameters(error: unknown): never {
  if (!(error instanceof InvalidRequestError)) throw error;
  const ofEntry = /\[\d+\]/;
  throw new InvalidRequestError(
    error.errors.map(({ path, code, message }) => ({
      path: path.replace(ofEntry, ''),
      code,
      message: message.replace(ofEntry, ''),
    })),
  );
}

/** No body at all is one without members. */
function isNoObject(body: unknown): boolean {
  return body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body));
}

/**
 * Flattens class-validator's tree into one problem for each place, with its JSON path under `prefix`. What is wrong as
 * a whole is not looked into.
 */
export function toProblemDetails(errors: readonly ValidationError[], prefix = ''): ProblemDetail[] {
  return errors.flatMap((error) => {
    const path = joinPath(prefix, error.property);
    const own = memberProblems(error, path);
    if (own.some((problem) => problem.path === path)) return own;
    const ofEntries = new Set(own.map((problem) => problem.path));
    const below = toProblemDetails(error.children ?? [], path);
    return [...own, ...below.filter((problem) => !ofEntries.has(problem.path))];
  });
}
