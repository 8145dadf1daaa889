import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EventType } from '../../events/customer-event';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import { RequestTraces } from '../../platform/tracing/request-traces';
import { answerPreflight } from './cors';
import { headerWriteKey } from '../receiving/find-write-key';
import { OverloadedError, UnsupportedMediaTypeError } from '../ingestion-problems';
import { Intake } from '../intake';
import { isTakenForJson } from '../receiving/media-type';
import { BodyReader } from '../receiving/body-reader';
import { SMALL_BODY_BYTES } from '../receiving/reception-budget';
import { SdkSettings } from './sdk-settings';

const BATCH_PATHS = ['/v1/batch', '/v1/import', '/v1/b', '/api/s/s2s/batch'];

const SINGLE_PATHS: Readonly<Record<EventType, readonly string[]>> = {
  track: ['/v1/track', '/v1/t', ...jitsuPaths('track')],
  identify: ['/v1/identify', '/v1/i', ...jitsuPaths('identify')],
  page: ['/v1/page', '/v1/p', ...jitsuPaths('page')],
  screen: ['/v1/screen', '/v1/s', ...jitsuPaths('screen')],
  group: ['/v1/group', '/v1/g', ...jitsuPaths('group')],
  alias: ['/v1/alias', '/v1/a', ...jitsuPaths('alias')],
};

/** Where Jitsu's SDK sends an event: from pages, and from servers. */
function jitsuPaths(type: EventType): string[] {
  return [`/api/s/${type}`, `/api/s/s2s/${type}`];
}

/** Where the Rudder SDK for browsers sends what is left when a page is closed. */
const BEACON_PATH = '/beacon/v1/batch';
/** Where the Segment SDK for browsers reports on itself. */
const METRICS_PATH = '/v1/m';
const SETTINGS_PATH = '/v1/projects/:writeKey/settings';

/**
 * The Events API: the routes that SDKs call. They are routes of Fastify in a context of their own, not of a Nest
 * controller, for two reasons. Content types are treated differently here than in the rest of the service (everything
 * is JSON), which Fastify scopes by context; and Nest's pipeline costs as much as parsing an event does
 * (`docs/decisions/0033`).
 */
@Injectable()
export class EventsApi implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly bodies: BodyReader,
    private readonly intake: Intake,
    private readonly settings: SdkSettings,
    private readonly traces: RequestTraces,
  ) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.adapterHost.httpAdapter.getInstance();
    // Not awaited: Fastify loads it when it gets ready, after Nest has set the error handler that it inherits.
    void fastify.register(async (scope) => this.mount(scope));
  }

  private mount(scope: FastifyInstance): void {
    scope.removeAllContentTypeParsers();
    // The body stays unread until it is known who sends it, see `Intake`.
    // By its one name as well: Fastify would take the type of each request apart.
    scope.addContentTypeParser(['application/json', '*'], (_request, payload, done) => done(null, payload));
    scope.addHook('onRequest', (request, _reply, done) => {
      const { headers } = request;
      const mustRefuse = this.bodies.mustRefuseUnread(headers, () => headerWriteKey(headers) === undefined);
      done(relabelAsJson(request) ?? (mustRefuse ? new OverloadedError() : undefined));
    });
    for (const path of BATCH_PATHS) this.post(scope, path, (request) => this.takeEvents(request, undefined));
    for (const [type, paths] of Object.entries(SINGLE_PATHS) as [EventType, readonly string[]][]) {
      for (const path of paths) this.post(scope, path, (request) => this.takeEvents(request, type));
    }
    this.post(scope, BEACON_PATH, (request) =>
      this.takeEvents(request, undefined, queryOf(request).writeKey),
    );
    this.post(scope, METRICS_PATH, async () => ({ success: true }));
    for (const path of withSlash(SETTINGS_PATH)) {
      scope.get(path, (request, reply) => {
        const { writeKey } = request.params as { writeKey: string };
        return this.settings.send(writeKey, request, reply);
      });
      scope.options(path, answerPreflight);
    }
  }

  private post(
    scope: FastifyInstance,
    path: string,
    handle: (request: FastifyRequest) => Promise<object>,
  ): void {
    for (const either of withSlash(path)) {
      scope.post(either, (request, reply) =>
        handle(request).catch((error: unknown) => {
          if (isTooMuchToSkip(request)) void reply.header('connection', 'close');
          throw error;
        }),
      );
      scope.options(either, answerPreflight);
    }
  }

  private async takeEvents(
    request: FastifyRequest,
    type: EventType | undefined,
    keyOfPath?: string,
  ): Promise<object> {
    const result = await this.intake.takeEvents({
      readBody: (known) => this.bodies.readOf(request, known),
      writeKey: headerWriteKey(request.headers),
      fallbackKey: keyOfPath,
      type,
      fromBrowser: request.headers.origin !== undefined,
      address: mayKeepAddress(request) ? request.ip : undefined,
      strict: readFlag(request, 'strict'),
      defaults: readFlag(request, 'defaults'),
      receivedAtMs: databaseNowMs(),
      requestId: request.id,
      traceparent: this.traces.traceparentOf(request),
    });
    return { success: true, ...result };
  }
}

/** Whether so much of the body may come yet that its connection is better closed than read to its end. */
function isTooMuchToSkip({ raw, headers }: FastifyRequest): boolean {
  const announced = Number(headers['content-length'] ?? Infinity);
  return !raw.complete && announced > SMALL_BODY_BYTES;
}

/** Clients resend a redirected POST as GET, so both forms of a path are the path. */
function withSlash(path: string): [string, string] {
  return [path, `${path}/`];
}

/** Fastify refuses labels it cannot parse; the SDKs' labels mean nothing. */
function relabelAsJson(request: FastifyRequest): UnsupportedMediaTypeError | undefined {
  const { headers } = request.raw;
  if (headers['content-type'] === undefined) return undefined;
  if (!isTakenForJson(headers['content-type'])) {
    return new UnsupportedMediaTypeError('Send JSON, as application/json or text/plain.');
  }
  headers['content-type'] = 'application/json';
  return undefined;
}

/** Of a parameter that is left out: false. @throws InvalidRequestError */
function readFlag(request: FastifyRequest, name: string): boolean {
  const value = (request.query as Record<string, unknown>)[name];
  if (value === undefined || value === 'false') return false;
  if (value === 'true') return true;
  throw new InvalidRequestError([{ path: name, code: 'is_in', message: `${name} must be true or false` }]);
}

/** Jitsu's SDK says so when it is told to leave out the visitor's address, or a part of it. */
function mayKeepAddress({ headers }: FastifyRequest): boolean {
  return (headers['x-ip-policy'] ?? 'keep') === 'keep';
}

function queryOf(request: FastifyRequest): Partial<Record<string, string>> {
  // A parameter that is given twice is an array, and none of the two is meant.
  const given = Object.entries(request.query as Record<string, unknown>);
  return Object.fromEntries(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
