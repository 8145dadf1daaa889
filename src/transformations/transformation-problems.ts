import { notFound, problem } from '../platform/http/problems/problem';

export class TransformationNotFoundError extends notFound('transformation') {}

export class TransformationVersionNotFoundError extends notFound(
  'transformation version',
  'The transformation has, or keeps, no such version.',
) {}

export class TooManyTransformationsError extends problem(
  409,
  'too_many_transformations',
  'There are as many transformations as there may be.',
) {
  constructor(limit: number) {
    super(`There may be ${limit} transformations at most.`);
  }
}

export class TransformationInUseError extends problem(
  409,
  'transformation_in_use',
  'Destinations or sources have it: take it away from them first.',
) {}
