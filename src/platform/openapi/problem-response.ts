import { STATUS_CODES } from 'node:http';
import type { ApiResponseOptions } from '@nestjs/swagger';

/** One error that an operation may return. */
export interface DocumentedProblem {
  readonly status: number;
  readonly code: string;
  /** When the operation returns it. */
  readonly when: string;
}

type OpenApiResponse = Extract<ApiResponseOptions, { schema: unknown }> | ApiResponseOptions;

/** The OpenAPI responses for the errors of an operation, by status. */
export function problemResponses(
  problems: readonly DocumentedProblem[],
): Record<number, ReturnType<typeof problemResponse>> {
  const statuses = [...new Set(problems.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status) => [status, problemResponse(problems.filter((one) => one.status === status))]),
  );
}

/** The OpenAPI response for problems of one status, with an example of each. */
export function problemResponse(problems: readonly DocumentedProblem[]): OpenApiResponse & object {
  const examples = problems.map(({ status, code, when }) => [
    code,
    {
      summary: when,
      value: {
        type: `urn:cdp:problem:${code}`,
        title: STATUS_CODES[status] ?? 'Error',
        status,
        detail: when,
        instance: '/sources',
        code,
        message: when,
        errors: [],
        requestId: '019ab1c2-7d3e-7f00-8a11-3c4d5e6f7a8b',
      },
    },
  ]);
  return {
    description: problems.map(({ code, when }) => `\`${code}\`: ${when}`).join('\n\n'),
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/ProblemDto' },
        examples: Object.fromEntries(examples),
      },
    },
  };
}
