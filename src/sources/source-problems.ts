import { problem } from '../platform/http/problem';

export class SourceNotFoundError extends problem(
  404,
  'source_not_found',
  'There is no source with this id.',
) {
  constructor(sourceId: string) {
    super(`There is no source ${sourceId}.`);
  }
}

export class TooManySourcesError extends problem(
  409,
  'too_many_sources',
  'There are as many sources as there may be.',
) {
  constructor(limit: number) {
    super(`There may be ${limit} sources at most.`);
  }
}
