import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';

/** Sends the `version` of a single resource as its `ETag`, for `If-Match`, unless the operation has set another one. */
export class ETagInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(
      map((body: unknown) => {
        if (hasVersion(body) && !reply.hasHeader('etag')) void reply.header('etag', `"${body.version}"`);
        return body;
      }),
    );
  }
}

function hasVersion(body: unknown): body is { version: number } {
  return typeof body === 'object' && body !== null && 'version' in body && Number.isInteger(body.version);
}
