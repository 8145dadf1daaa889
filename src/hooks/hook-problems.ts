import { notFound, problem } from '../platform/http/problems/problem';

/**
 * One text whatever is wrong with a signature: nobody is to find out step by step. The log of the service says more.
 */
export class InvalidSignatureError extends problem(
  401,
  'invalid_signature',
  'The signature of the request is missing, fits no secret of this source, or its time is too far from now.',
) {}

/** This process cannot open the secrets that requests are signed with. */
export class SecretsUnavailableError extends problem(
  503,
  'secrets_unavailable',
  'This process cannot verify signatures: it lacks the key that the secrets of this source are sealed with.',
) {
  override readonly retryAfterSeconds = 60;
}

export class BodyTooDeepError extends problem(400, 'body_too_deep', 'The body is nested too deep.') {
  constructor(maxDepth: number) {
    super(`Nest objects and arrays at most ${maxDepth} deep.`);
  }
}

/** So many requests of the source could not be processed that no more are taken. */
export class HookBacklogError extends problem(
  429,
  'hook_backlog_full',
  'Too many requests of this source wait or have failed. Send this request again later.',
) {
  override readonly retryAfterSeconds = 60;
}

export class HookRequestNotFoundError extends notFound('hook request') {}
