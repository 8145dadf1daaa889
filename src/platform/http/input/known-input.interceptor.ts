import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Observable } from 'rxjs';
import { IS_PUBLIC } from '../../auth/public.decorator';
import { InvalidRequestError, type ProblemDetail } from '../problems/problem';
import { unknownField } from './problem-paths';

/**
 * Refuses any query and any member of a body on an operation that takes none, as DTOs refuse members they do not know:
 * a filter with a typing error must not answer everything. Public operations are left alone; monitoring likes to add
 * something to them.
 */
@Injectable()
export class KnownInputInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { query, body } = context.switchToHttp().getRequest<FastifyRequest>();
    const unknown = [
      ...(takes(RouteParamtypes.QUERY, context) ? [] : membersOf(query).map(unknownParameter)),
      ...(takes(RouteParamtypes.BODY, context) ? [] : membersOf(body).map((name) => unknownField(name))),
    ];
    if (unknown.length === 0 || this.isPublic(context)) return next.handle();
    throw new InvalidRequestError(unknown);
  }

  private isPublic(context: ExecutionContext): boolean {
    const targets = [context.getHandler(), context.getClass()];
    return this.reflector.getAllAndOverride<boolean | undefined>(IS_PUBLIC, targets) === true;
  }
}

function takes(part: RouteParamtypes, context: ExecutionContext): boolean {
  const handler = context.getHandler().name;
  const parameters = (Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler) ?? {}) as object;
  return Object.keys(parameters).some((key) => key.startsWith(`${part}:`));
}

function membersOf(input: unknown): string[] {
  return typeof input === 'object' && input !== null ? Object.keys(input) : [];
}

function unknownParameter(path: string): ProblemDetail {
  return { path, code: 'unknown_field', message: `${path} is not a known parameter` };
}
