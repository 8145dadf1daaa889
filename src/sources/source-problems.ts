import { notFound, problem, type ProblemDetail } from '../platform/http/problems/problem';

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

export class SourceInUseError extends problem(
  409,
  'source_in_use',
  'Destinations name it in their `sources`.',
) {
  /** @param destinations their names */
  constructor(name: string, destinations: readonly string[]) {
    const named = destinations.map((destination) => JSON.stringify(destination)).join(', ');
    super(`Destinations get the events of the source "${name}": ${named}. Change their \`sources\` first.`);
  }
}

/** Of a member that only a webhook has. */
export function notAWebhook(path: string): ProblemDetail {
  return { path, code: 'not_a_webhook', message: `${path} is for sources of the kind webhook` };
}
