import type { OpenAPIObject } from '@nestjs/swagger';
import { IS_PUBLIC_EXTENSION } from '../auth/public.decorator';
import { addExamples } from './add-examples';
import { closeRequestBodies } from './close-request-bodies';
import { type DocumentedProblem, problemResponse } from './problem-response';

type PathItem = OpenAPIObject['paths'][string];
type Operation = NonNullable<PathItem['get']>;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'] as const;

/** Adds to each operation what follows from its shape: its security, and the errors that any such operation may return. */
export function completeDocument(document: OpenAPIObject): OpenAPIObject {
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation !== undefined) completeOperation(operation, path);
    }
  }
  closeRequestBodies(document);
  addExamples(document);
  return document;
}

function completeOperation(operation: Operation, path: string): void {
  const extensions: Record<string, unknown> = operation as object as Record<string, unknown>;
  const isPublic = extensions[IS_PUBLIC_EXTENSION] === true;
  delete extensions[IS_PUBLIC_EXTENSION];
  operation.security ??= isPublic ? [] : [{ bearer: [] }];
  const problems = [
    ...inputProblems(operation, path),
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
  operation.responses[problem.status] = problemResponse([
    { ...problem, when },
  ]) as Operation['responses'][string];
}

function inputProblems(operation: Operation, path: string): DocumentedProblem[] {
  const problems: DocumentedProblem[] = [];
  const hasQuery = operation.parameters?.some((parameter) => 'in' in parameter && parameter.in === 'query');
  if (operation.requestBody !== undefined || hasQuery === true)
    problems.push({ status: 400, code: 'invalid_request', when: 'The request is not as documented.' });
  if (path.includes('{')) problems.push({ status: 404, code: 'not_found', when: 'There is no such thing.' });
  if (operation.requestBody !== undefined) {
    problems.push({ status: 413, code: 'payload_too_large', when: 'The body is too large.' });
    problems.push({ status: 415, code: 'unsupported_media_type', when: 'The body is not JSON.' });
  }
  return problems;
}

function repetitionProblems(operation: Operation): DocumentedProblem[] {
  const takesKey = operation.parameters?.some(
    (parameter) => 'name' in parameter && parameter.name === 'Idempotency-Key',
  );
  if (takesKey !== true) return [];
  const when = 'The `Idempotency-Key` was used for another body, or the request it was used for goes on.';
  return [{ status: 409, code: 'idempotency_key_reused', when }];
}

function rightsProblems(operation: Operation): DocumentedProblem[] {
  if (operation.security?.length === 0) return [];
  const unauthorized = { status: 401, code: 'unauthorized', when: 'The credential is missing or not valid.' };
  const takesToken = operation.security?.some((scheme) => 'bearer' in scheme) === true;
  if (!takesToken) return [unauthorized];
  return [
    unauthorized,
    { status: 403, code: 'missing_scope', when: 'The token lacks the scope this operation needs.' },
  ];
}

function serviceProblems(): DocumentedProblem[] {
  return [
    {
      status: 429,
      code: 'too_many_requests',
      when: 'Too much at once; `Retry-After` says how long to wait.',
    },
    { status: 431, code: 'headers_too_large', when: 'The address and the headers together are too long.' },
    { status: 500, code: 'internal_error', when: 'Something went wrong on our side.' },
    {
      status: 503,
      code: 'dependency_down',
      when: 'The database is away; `Retry-After` says how long to wait.',
    },
  ];
}
