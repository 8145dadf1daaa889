import { Problem } from '../platform/http/problem';

export class SourceNotFoundError extends Problem {
  static readonly status = 404;
  static readonly code = 'source_not_found';
  static readonly when = 'There is no source with this id.';
  readonly status = SourceNotFoundError.status;
  readonly code = SourceNotFoundError.code;

  constructor(sourceId: string) {
    super(`There is no source ${sourceId}.`);
  }
}

export class TooManySourcesError extends Problem {
  static readonly status = 409;
  static readonly code = 'too_many_sources';
  static readonly when = 'There are as many sources as there may be.';
  readonly status = TooManySourcesError.status;
  readonly code = TooManySourcesError.code;

  constructor(limit: number) {
    super(`There may be ${limit} sources at most.`);
  }
}
