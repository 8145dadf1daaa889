import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AuditLog } from '../audit/audit-log';
import { UnauthorizedError } from '../auth/auth-problems';
import type { Identity } from '../auth/principal';
import { RequestTokens } from '../auth/request-tokens';
import { Config } from '../config/config';
import { Database } from '../database/database';
import { QueueProbe } from '../health/queue-probe';
import { DependencyDownError } from '../http/problems/problem';
import { problemOf } from '../http/problems/problem-details';
import { sendProblem } from '../http/problems/send-problem';
import { sendProblemPage } from '../login/login-pages';
import { QUEUE_DESCRIPTIONS, QUEUE_NAMES, type QueueName } from '../queues/job';
import { JobDispatcher } from '../queues/job-dispatcher';
import { BoardActions } from './board-actions';
import { BoardAccess } from './board-access';

const BOARD_PATH = '/queues';
/** What is below asks the queue, other than the page and its scripts. */
const BOARD_API = `${BOARD_PATH}/api/`;
/** The page wants fonts of another site, which the policy of this one refuses: the system's serve as well. */
const FOREIGN_STYLE = /<link href="https:[^>]*>/;

/**
 * Serves Bull Board at `/queues` for those who may see it. Call it before the app is initialised.
 *
 * Bull Board's own middleware option guards only the exact path on Fastify. Here all its routes live in one Fastify
 * scope, and the check is a hook of that scope: there is no spelling of a path that reaches a route without it.
 */
export function mountQueueBoard(app: NestFastifyApplication): void {
  const config = app.get(Config);
  const access = new BoardAccess(app.get(RequestTokens, { strict: false }), config.tokens.anyIsEnough);
  const actions = new BoardActions(app.get(AuditLog), app.get(Database), BOARD_PATH);
  const probe = app.get(QueueProbe, { strict: false });
  const board = bullBoard(app.get(JobDispatcher));

  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  // Not awaited: that would make Fastify build its root scope before Nest has set parsers and error handler there.
  void fastify.register(async (scope) => {
    const visitors = new WeakMap<FastifyRequest, Identity>();
    scope.addHook(
      'onRequest',
      answering(async (request) => void visitors.set(request, await access.check(request))),
    );
    scope.addHook(
      'preHandler',
      answering(async (request) => {
        const visitor = visitors.get(request);
        if (visitor === undefined) throw new UnauthorizedError(false);
        // Bull Board waits for a queue that was never there, and shows what the client of one that is gone says.
        const asksQueue = request.routeOptions.url?.startsWith(BOARD_API) === true;
        if (asksQueue && (await probe.state()) === 'down') throw new DependencyDownError(queueKeeper(config));
        await actions.admit(request, visitor);
      }),
    );
    scope.addHook('onSend', async (_request, reply, payload) =>
      isPage(reply) && typeof payload === 'string' ? payload.replace(FOREIGN_STYLE, '') : payload,
    );
    await scope.register(board.registerPlugin(), { prefix: BOARD_PATH });
  });
}

function isPage(reply: FastifyReply): boolean {
  return String(reply.getHeader('content-type')).startsWith('text/html');
}

/** Who has the queue. */
function queueKeeper({ queue }: Config): string {
  return queue.redisUrl === undefined ? 'PostgreSQL' : 'Redis';
}

function bullBoard(dispatcher: JobDispatcher): FastifyAdapter {
  const serverAdapter = new FastifyAdapter().setBasePath(BOARD_PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map((name) => {
      const description = QUEUE_DESCRIPTIONS[name];
      const options = name === 'dead-letters' ? { description, externalJobUrl } : { description };
      return new NamedQueue(name, dispatcher.queue(name), options);
    }),
    serverAdapter,
    options: {
      uiConfig: { boardTitle: 'Queues', miscLinks: [{ text: 'Log out', url: '/logout' }] },
    },
  });
  return serverAdapter;
}

/** On the board, in its paths and in the audit a queue has the name that the service has for it. */
class NamedQueue extends BullMQAdapter {
  constructor(
    private readonly shownName: QueueName,
    ...given: ConstructorParameters<typeof BullMQAdapter>
  ) {
    super(...given);
  }

  override getName(): string {
    return this.shownName;
  }
}

/** Where to read on about a job that says so in its data. */
function externalJobUrl({ data }: { readonly data: unknown }): { displayText?: string; href: string } {
  const link = typeof data === 'object' && data !== null && 'link' in data ? String(data.link) : BOARD_PATH;
  return { displayText: 'Show in the console', href: link };
}

/** A hook whose errors are answered by itself: inside its scope, Bull Board turns every error into a 500. */
function answering(
  check: (request: FastifyRequest) => Promise<void>,
): (request: FastifyRequest, reply: FastifyReply) => Promise<void> {
  return async (request, reply) => {
    try {
      await check(request);
    } catch (error) {
      const answer = problemOf(error);
      const isPageVisit = request.method === 'GET' && request.headers.accept?.includes('text/html') === true;
      if (!isPageVisit) sendProblem(request, reply, answer);
      else if (answer.status === 401) void reply.redirect(loginPath(request), 303);
      else sendProblemPage(reply, answer);
    }
  };
}

function loginPath({ url }: FastifyRequest): string {
  return `/login?${new URLSearchParams({ to: url }).toString()}`;
}
