import { notFound, problem, type ProblemDetail } from '../../platform/http/problems/problem';
import { type Askers, wordsOf } from '../askers';

export class ComputedTraitNotFoundError extends notFound('computed trait') {}

export class TooManyComputedTraitsError extends problem(
  409,
  'too_many_computed_traits',
  'There are as many computed traits as there may be.',
) {
  constructor(limit: number) {
    super(`There may be ${limit} computed traits at most.`);
  }
}

/** Rules of segments, and filters and notices of destinations, mean what it meant when they were written. */
export class ComputedTraitInUseError extends problem(
  409,
  'computed_trait_in_use',
  'Rules of segments, or filters or notices of destinations, ask about it: its description alone can be changed.',
) {
  override readonly errors: readonly ProblemDetail[];

  /** @param members those that are to change; none of one that is to be deleted */
  constructor(name: string, askers: Askers, members: readonly string[]) {
    const isUsed = `computed.${name} is asked about by ${wordsOf(askers, 'filters or notices')}.`;
    super(
      members.length > 0
        ? `${isUsed} Until they are changed only its description can be: make a new one for them to ask about.`
        : `${isUsed} Change them to ask about something else first.`,
    );
    const message = 'Stays as it is while something asks about the computed trait.';
    this.errors = members.map((path) => ({ path, code: this.code, message }));
  }
}
