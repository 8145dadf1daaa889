import type { ProblemAnswer } from '../platform/http/problems/problem-details';
import { Problem, type ProblemDetail, problem } from '../platform/http/problems/problem';
import type { ResourceChangeDto } from './dto/config-result.dto';

/** Two resources of one kind have the same name, so that a document cannot tell them apart. */
export class AmbiguousNameError extends problem(
  409,
  'ambiguous_name',
  'Several resources of one kind have the same name.',
) {
  constructor(override readonly errors: readonly ProblemDetail[]) {
    super(
      `A document tells resources apart by their names. ${errors.map(({ message }) => message).join(' ')}`,
    );
  }
}

/** Another caller applies a document right now. */
export class ConfigurationBusyError extends problem(
  409,
  'configuration_busy',
  'Somebody else applies a configuration right now.',
) {
  override readonly retryAfterSeconds = 1;

  constructor() {
    super('Somebody else applies a configuration at this moment. Try again.');
  }
}

/** Something went wrong on the way: `changes` says what was applied. Applying the document again does the rest. */
export class ConfigurationPartlyAppliedError extends Problem {
  static readonly status = 409;
  static readonly code = 'configuration_partly_applied';
  static readonly when =
    'Something was changed meanwhile; `changes` says what was applied. Other causes keep their status.';
  readonly status: number;
  readonly code = ConfigurationPartlyAppliedError.code;
  override readonly errors: readonly ProblemDetail[];
  override readonly extensions: Readonly<Record<string, unknown>>;

  constructor(cause: ProblemAnswer, failed: ResourceChangeDto, changes: readonly ResourceChangeDto[]) {
    const where = `${failed.kind} "${failed.name}"`;
    super(
      `${where} could not be changed (${cause.code}): ${cause.message} What stands before it is applied.`,
    );
    this.status = cause.status;
    this.errors = cause.errors.map((error) => ({ ...error, path: `${where}.${error.path}` }));
    this.extensions = { changes };
  }
}
