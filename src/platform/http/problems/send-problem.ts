import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ProblemAnswer, problemTitle } from './problem-details';

/** Writes an error as `application/problem+json`: the one shape of every error of the service. */
export function sendProblem(request: FastifyRequest, reply: FastifyReply, answer: ProblemAnswer): void {
  const { status, code, message, errors, headers, extensions } = answer;
  void reply
    .status(status)
    .headers(headers)
    .type('application/problem+json')
    .send({
      ...extensions,
      type: `urn:cdp:problem:${code}`,
      title: problemTitle(status),
      status,
      detail: message,
      instance: request.url.split('?', 1)[0],
      code,
      message,
      errors,
      requestId: request.id,
    });
}
