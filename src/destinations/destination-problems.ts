import { notFound, problem, type ProblemDetail } from '../platform/http/problems/problem';

export class DestinationNotFoundError extends notFound('destination') {}

export class UnknownConnectorError extends problem(
  400,
  'unknown_destination_type',
  'No installed connector has this id.',
) {
  override readonly errors: readonly ProblemDetail[];

  constructor(type: string, installed: readonly string[]) {
    const message = `"${type}" is no installed connector; installed: ${installed.join(', ')}`;
    super(`type: ${message}.`);
    this.errors = [{ path: 'type', code: 'unknown', message }];
  }
}

export class DestinationTypeFixedError extends problem(
  400,
  'destination_type_fixed',
  'The type of a destination cannot be changed.',
) {
  override readonly errors: readonly ProblemDetail[] = [
    { path: 'type', code: 'fixed', message: 'cannot be changed; create another destination instead' },
  ];
}

/** The others would be lost with those that are made anew. */
export class SecretsNotReadableError extends problem(
  409,
  'secrets_not_readable',
  'Secrets of this destination are sealed with a key that CDP_ENCRYPTION_KEY lacks: give it that key, or give them anew ' +
    'with PUT.',
) {}

export class TooManyDestinationsError extends problem(
  409,
  'too_many_destinations',
  'There are as many destinations as there may be.',
) {
  constructor(limit: number) {
    super(`There may be ${limit} destinations at most.`);
  }
}
