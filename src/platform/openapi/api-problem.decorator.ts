import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { type DocumentedProblem, problemResponse } from './problem-response';

/**
 * Documents the errors that are an operation's own by their classes, such as `TooManySourcesError`: status, code and text
 * are static members of the class.
 * Those that follow from its shape (401, 403, 429, 503, 400 with a body, …) are added by `completeDocument`.
 */
export function ApiProblems(...problems: readonly DocumentedProblem[]): MethodDecorator & ClassDecorator {
  const statuses = [...new Set(problems.map(({ status }) => status))];
  return applyDecorators(
    ...statuses.map((status) =>
      ApiResponse({ status, ...problemResponse(problems.filter((problem) => problem.status === status)) }),
    ),
  );
}

/** The problem, with what it means for this operation. */
export function inCase({ status, code }: DocumentedProblem, when: string): DocumentedProblem {
  return { status, code, when };
}
