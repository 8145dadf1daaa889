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

export class PreviousKeyInUseError extends problem(
  409,
  'previous_key_in_use',
  'The key before the present one still works, and a source has two at most.',
) {
  /** @param end of the key before */
  constructor(name: string, end: Date) {
    super(
      `The key before the present one of the source "${name}" works until ${end.toISOString()}: rotate again after ` +
        'that, or with `overlapSeconds` 0, which ends both at once.',
    );
  }
}

/** Of a member that only a webhook has. */
export function notAWebhook(path: string): ProblemDetail {
  return { path, code: 'not_a_webhook', message: `${path} is for sources of the kind webhook` };
}
