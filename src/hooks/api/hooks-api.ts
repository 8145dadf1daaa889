import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BodyReader } from '../../ingestion/receiving/body-reader';
import { HookIntake } from '../receiving/hook-intake';
import { type BodyFormat, demandFormat } from '../receiving/read-hook-body';

/** The key is no header: most senders know nothing but an address. Logs and spans have the pattern only. */
const PATH = '/v1/hooks/:writeKey';

/**
 * Where others post what they please. As those of the Events API (`EventsApi`) these are routes of Fastify, for the
 * bytes of a body as they came, which are what is signed.
 */
@Injectable()
export class HooksApi implements OnModuleInit {
  private readonly formats = new WeakMap<FastifyRequest, BodyFormat>();

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly bodies: BodyReader,
    private readonly intake: HookIntake,
  ) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.adapterHost.httpAdapter.getInstance();
    void fastify.register(async (scope) => this.mount(scope));
  }

  private mount(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(['application/json', '*'], (_request, payload, done) => done(null, payload));
    for (const path of [PATH, `${PATH}/`]) {
      scope.post(path, { onRequest: this.noteFormat }, (request) => this.answerHook(request));
    }
  }

  /** What is neither is refused unread; a form would be by the rest of the service. */
  private readonly noteFormat = (
    request: FastifyRequest,
    _reply: unknown,
    done: (error?: Error) => void,
  ): void => {
    try {
      const { headers } = request.raw;
      this.formats.set(request, demandFormat(headers['content-type']));
      headers['content-type'] = 'application/json';
      done();
    } catch (error) {
      done(error as Error);
    }
  };

  private answerHook(request: FastifyRequest): Promise<object> {
    const { headers, query } = request;
    const { writeKey } = request.params as { writeKey: string };
    return this.intake.receiveHook({
      writeKey,
      headers,
      query: query as object,
      format: this.formats.get(request) ?? 'json',
      readBody: () => this.bodies.readOf(request, true),
    });
  }
}
