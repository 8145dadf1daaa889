import { applyDecorators } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { type DocumentedProblem, problemResponses } from './problem-response';

/**
 * Documents the errors that are an operation's own by their classes, such as `TooManySourcesError`: status, code and
 * text are static members of the class. Those that follow from its shape (401, 403, 429, 503, 400 with a body, …) are
 * added by `completeDocument`.
 */
export function ApiProblems(...problems: readonly DocumentedProblem[]): MethodDecorator & ClassDecorator {
  return applyDecorators(
    ...Object.entries(problemResponses(problems)).map(([status, response]) =>
      ApiResponse({ status: Number(status), ...response }),
    ),
  );
}

/** The problem, with what it means for this operation. */
export function inCase({ status, code }: DocumentedProblem, when: string): DocumentedProblem {
  return { status, code, when };
}
