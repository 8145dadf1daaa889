import { Problem, type ProblemDetail } from '../platform/http/problem';

export class DestinationNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'destination_not_found';

  constructor(destinationId: string) {
    super(`There is no destination ${destinationId}.`);
  }
}

export class UnknownConnectorError extends Problem {
  readonly status = 400;
  readonly code = 'unknown_destination_type';
  override readonly errors: readonly ProblemDetail[];

  constructor(type: string, installed: readonly string[]) {
    const message = `"${type}" is no installed connector; installed: ${installed.join(', ')}`;
    super(`type: ${message}.`);
    this.errors = [{ path: 'type', code: 'unknown', message }];
  }
}

export class DestinationTypeFixedError extends Problem {
  readonly status = 400;
  readonly code = 'destination_type_fixed';
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
