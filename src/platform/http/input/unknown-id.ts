import type { ProblemDetail } from '../problems/problem';

/** A member names by its id what is not there. @param thing such as `tracking plan` */
export function unknownId(path: string, thing: string): ProblemDetail {
  return {
    path,
    code: `unknown_${thing.replaceAll(' ', '_')}`,
    message: `There is no ${thing} with this id.`,
  };
}
