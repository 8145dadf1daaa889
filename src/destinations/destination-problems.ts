import { Problem, type ProblemDetail } from '../platform/http/problem';

export class DestinationNotFoundError extends Problem {
  static readonly status = 404;
  static readonly code = 'destination_not_found';
  static readonly when = 'There is no destination with this id.';
  readonly status = DestinationNotFoundError.status;
  readonly code = DestinationNotFoundError.code;

  constructor(destinationId: string) {
    super(`There is no destination ${destinationId}.`);
  }
}

export class UnknownConnectorError extends Problem {
  static readonly status = 400;
  static readonly code = 'unknown_destination_type';
  static readonly when = 'No installed connector has this id.';
  readonly status = UnknownConnectorError.status;
  readonly code = UnknownConnectorError.code;
  override readonly errors: readonly ProblemDetail[];

  constructor(type: string, installed: readonly string[]) {
    const message = `"${type}" is no installed connector; installed: ${installed.join(', ')}`;
    super(`type: ${message}.`);
    this.errors = [{ path: 'type', code: 'unknown', message }];
  }
}

export class DestinationTypeFixedError extends Problem {
  static readonly status = 400;
  static readonly code = 'destination_type_fixed';
  static readonly when = 'The type of a destination cannot be changed.';
  readonly status = DestinationTypeFixedError.status;
  readonly code = DestinationTypeFixedError.code;
  override readonly errors: readonly ProblemDetail[] = [
    { path: 'type', code: 'fixed', message: 'cannot be changed; create another destination instead' },
  ];

  constructor() {
    super('The type of a destination cannot be changed.');
  }
}

export class TooManyDestinationsError extends Problem {
  readonly status = 409;
  readonly code = 'too_many_destinations';

  constructor(limit: number) {
    super(`There may be ${limit} destinations at most.`);
  }
}
