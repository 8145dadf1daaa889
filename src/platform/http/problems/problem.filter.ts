import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { problemOf } from './problem-details';
import { sendProblem } from './send-problem';

/** The one place where errors become answers: `application/problem+json`, the same shape for every error. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger(ProblemFilter.name);

  catch(thrown: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const answer = problemOf(thrown);
    if (answer.unexpected) this.logUnexpected(thrown, request);
    // A streamed answer that breaks half-way can only be cut off.
    if (!reply.sent) sendProblem(request, reply, answer);
  }

  private logUnexpected(thrown: unknown, request: FastifyRequest): void {
    const err = thrown instanceof Error ? thrown : new Error(String(thrown));
    const { id: requestId, method, routeOptions } = request;
    this.logger.error('Request failed', { requestId, method, route: routeOptions?.url }, err);
  }
}
