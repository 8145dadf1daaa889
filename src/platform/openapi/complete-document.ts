import type { OpenAPIObject } from '@nestjs/swagger';
import { MissingScopeError, UnauthorizedError } from '../auth/auth-problems';
import { IS_PUBLIC_EXTENSION } from '../auth/public.decorator';
import { TooManyRequestsError } from '../auth/request-limits';
import { DependencyDownError, InvalidRequestError } from '../http/problems/problem';
import { codeOf } from '../http/problems/problem-details';
import { IdempotencyKeyReusedError } from '../idempotency/idempotency-problems';
import { addExamples } from './add-examples';
import { inCase } from './api-problem.decorator';
import { closeRequestBodies } from './close-request-bodies';
import { type DocumentedProblem, problemResponse } from './problem-response';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * Adds to each operation what follows from its shape: its security, and the errors that any such operation may return.
 */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  for (const item of Object.values(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation !== undefined) completeOperation(operation);
    }
  }
  closeRequestBodies(document);
  addExamples(document);
  return document;
}

function completeOperation(operation: Operation): void {
  const extensions: Record<string, unknown> = operation as object as Record<string, unknown>;
  const isPublic = extensions[IS_PUBLIC_EXTENSION] === true;
  delete extensions[IS_PUBLIC_EXTENSION];
  operation.security ??= isPublic ? [] : [{ bearer: [] }];
  const problems = [
    ...inputProblems(operation),
    ...repetitionProblems(operation),
    ...rightsProblems(operation),
    ...serviceProblems(),
  ];
  for (const problem of problems) describeProblem(operation, problem);
}

/** An error that its controller describes in words only keeps the words and gets the body that all errors have. */
function describeProblem(operation: Operation, problem: DocumentedProblem): void {
  const own = operation.responses[problem.status];
  if (own !== undefined && '$ref' in own) return;
  if (own?.content !== undefined) {
    own.description += problem.status === 409 ? `\n\n\`${problem.code}\`: ${problem.when}` : '';
    return;
  }
  const when = own?.description === undefined || own.description === '' ? problem.when : own.description;
  const described = problemResponse([inCase(problem, when)]);
  operation.responses[problem.status] = described as Operation['responses'][string];
}

function inputProblems(operation: Operation): DocumentedProblem[] {
  const problems: DocumentedProblem[] = [];
  const isChecked = operation.parameters?.some(
    (parameter) => 'in' in parameter && ['query', 'header'].includes(parameter.in),
  );
  if (operation.requestBody !== undefined || isChecked === true)
    problems.push(inCase(InvalidRequestError, 'The request is not as documented.'));
  if (operation.requestBody !== undefined) {
    problems.push(unnamed(413, 'The body is too large.'), unnamed(415, 'The body is not JSON.'));
  }
  return problems;
}

function repetitionProblems(operation: Operation): DocumentedProblem[] {
  const takesKey = operation.parameters?.some(
    (parameter) => 'name' in parameter && parameter.name === 'Idempotency-Key',
  );
  if (takesKey !== true) return [];
  const when = 'The `Idempotency-Key` was used for another body, or the request it was used for goes on.';
  return [inCase(IdempotencyKeyReusedError, when)];
}

function rightsProblems(operation: Operation): DocumentedProblem[] {
  if (operation.security?.length === 0) return [];
  const takesToken = operation.security?.some((scheme) => 'bearer' in scheme) === true;
  return takesToken ? [UnauthorizedError, MissingScopeError] : [UnauthorizedError];
}

function serviceProblems(): DocumentedProblem[] {
  return [
    TooManyRequestsError,
    unnamed(431, 'The address and the headers together are too long.'),
    unnamed(500, 'Something went wrong on our side.'),
    inCase(DependencyDownError, 'The database is away; `Retry-After` says how long to wait.'),
  ];
}

/** What has no class, because Fastify or Nest throws it. */
function unnamed(status: number, when: string): DocumentedProblem {
  return { status, code: codeOf(status), when };
}
