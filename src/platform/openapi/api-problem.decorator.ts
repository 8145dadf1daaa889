import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { type DocumentedProblem, problemResponse } from './problem-response';

/**
 * Documents the errors that are an operation's own, such as `[409, 'too_many_sources', 'There is no room for another source.']`.
 * Those that follow from its shape (401, 403, 429, 503, 400 with a body, …) are added by `completeDocument`.
 */
export function ApiProblems(
  ...problems: readonly (readonly [status: number, code: string, when: string])[]
): MethodDecorator & ClassDecorator {
  const documented: DocumentedProblem[] = problems.map(([status, code, when]) => ({ status, code, when }));
  const statuses = [...new Set(documented.map(({ status }) => status))];
  return applyDecorators(
    ...statuses.map((status) =>
      ApiResponse({ status, ...problemResponse(documented.filter((problem) => problem.status === status)) }),
    ),
  );
}
