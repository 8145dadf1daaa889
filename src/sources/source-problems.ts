import { Problem } from '../platform/http/problem';

export class SourceNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'source_not_found';

  constructor(sourceId: string) {
    super(`There is no source ${sourceId}.`);
  }
}

export class TooManySourcesError extends Problem {
  readonly status = 409;
  readonly code = 'too_many_sources';

  constructor(limit: number) {
    super(`There may be ${limit} sources at most.`);
  }
}
