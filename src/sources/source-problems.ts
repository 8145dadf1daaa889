import { notFound, problem } from '../platform/http/problem';

export class SourceNotFoundError extends notFound('source') {}

export class TooManySourcesError extends problem(
  409,
  'too_many_sources',
  'There are as many sources as there may be.',
) {
  constructor(limit: number) {
    super(`There may be ${limit} sources at most.`);
  }
}
