import { notFound, problem } from '../../platform/http/problems/problem';

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

/** Rules of segments, and filters of destinations, mean what it meant when they were written. */
export class ComputedTraitInUseError extends problem(
  409,
  'computed_trait_in_use',
  'Rules of segments or filters of destinations ask about it: its description alone can be changed.',
) {
  constructor(name: string, segments: readonly string[], destinations: number) {
    const asking = [
      ...(segments.length > 0 ? [`rules of segments (${segments.join(', ')})`] : []),
      ...(destinations > 0 ? [`filters of destinations (${destinations} of them)`] : []),
    ];
    super(`computed.${name} is asked about by ${asking.join(' and ')}.`);
  }
}
