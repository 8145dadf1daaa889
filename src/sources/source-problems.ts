import { Problem } from '../platform/http/problem';

export class SourceNotFoundError extends Problem {
  readonly status = 404;
  readonly code = 'source_not_found';

  constructor(sourceId: string) {
    super(`There is no source ${sourceId}.`);
  }
}

export class SourceNameTakenError extends Problem {
  readonly status = 409;
  readonly code = 'source_name_taken';

  constructor(name: string) {
    super(`There is already a source named "${name}".`);
    this.errors = [{ path: 'name', code: 'taken', message: 'names of sources are unique' }];
  }

  override readonly errors: Problem['errors'];
}

export class TooManySourcesError extends Problem {
  readonly status = 409;
  readonly code = 'too_many_sources';

  constructor(limit: number) {
    super(`There may be ${limit} sources at most.`);
  }
}
