import { InvalidRequestError } from './problem';

/**
 * What checks of a request return, which are made side by side. What several of them refuse is told at once.
 * @throws InvalidRequestError, or whatever else one of them throws
 */
export async function refuseTogether<Results extends readonly unknown[]>(
  ...checks: { readonly [Check in keyof Results]: Promise<Results[Check]> }
): Promise<Results> {
  const ends = await Promise.allSettled(checks);
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  const refusals = reasons.filter((reason) => reason instanceof InvalidRequestError);
  if (refusals.length < reasons.length)
    throw reasons.find((reason) => !(reason instanceof InvalidRequestError));
  if (refusals.length > 0) throw new InvalidRequestError(refusals.flatMap(({ errors }) => errors));
  return Promise.all(checks) as Promise<unknown> as Promise<Results>;
}
