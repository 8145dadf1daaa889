import { HttpException } from '@nestjs/common';
import { STATUS_CODES } from 'node:http';
import { mayPass, refusesText } from '../../database/failure';
import { DependencyDownError, Problem, type ProblemDetail } from './problem';

/** An error body (RFC 9457) without what only the request knows. `code` and `message` are what SDKs look for. */
export interface ProblemAnswer {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly errors: readonly ProblemDetail[];
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, unknown>>;
  /** The error was not foreseen: the log gets it, the caller gets nothing of it. */
  readonly unexpected: boolean;
}

const CODES: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  406: 'not_acceptable',
  408: 'request_timeout',
  409: 'conflict',
  412: 'precondition_failed',
  413: 'payload_too_large',
  414: 'uri_too_long',
  415: 'unsupported_media_type',
  428: 'precondition_required',
  429: 'too_many_requests',
  431: 'headers_too_large',
  503: 'dependency_down',
};

/** Turns what was thrown into the answer for the caller. Never shows details of an unforeseen error. */
export function problemOf(thrown: unknown): ProblemAnswer {
  if (thrown instanceof Problem) return ofProblem(thrown);
  if (thrown instanceof HttpException) return answer(thrown.getStatus(), thrown.message);
  if (mayPass(thrown)) return ofProblem(new DependencyDownError('The database'));
  // The input is at fault, not the service.
  if (refusesText(thrown)) return answer(400, 'The request holds a character that cannot be stored.');
  const status = clientErrorStatus(thrown);
  if (status !== undefined && thrown instanceof Error) return answer(status, thrown.message);
  return { ...answer(500, 'Something went wrong on our side.'), unexpected: true };
}

/** The members of the body that are the same for every kind of problem. */
export function problemTitle(status: number): string {
  return STATUS_CODES[status] ?? 'Error';
}

/** The code of an error that is no {@link Problem}: Fastify's and Nest's own. */
export function codeOf(status: number): string {
  return CODES[status] ?? (status < 500 ? 'invalid_request' : 'internal_error');
}

function ofProblem(problem: Problem): ProblemAnswer {
  const { status, code, message, errors, headers, extensions, retryAfterSeconds } = problem;
  const retryAfter: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return {
    status,
    code,
    message,
    errors,
    headers: { ...headers, ...retryAfter },
    extensions,
    unexpected: false,
  };
}

function answer(status: number, message: string): ProblemAnswer {
  return {
    status,
    code: codeOf(status),
    message,
    errors: [],
    headers: {},
    extensions: {},
    unexpected: status >= 500,
  };
}

/** Fastify's own errors (broken JSON, body too large, wrong media type) carry their status. */
function clientErrorStatus(thrown: unknown): number | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('statusCode' in thrown)) return undefined;
  const status = thrown.statusCode;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
