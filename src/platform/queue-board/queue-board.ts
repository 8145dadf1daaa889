import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { FastifyAdapter } from '@bull-board/fastify';
import fastifyCookie, { type CookieSerializeOptions } from '@fastify/cookie';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AuditLog } from '../audit/audit-log';
import { UnauthorizedError } from '../auth/auth-problems';
import type { Identity } from '../auth/principal';
import { ManagementProtection } from '../auth/management-protection';
import { TokenVerifier } from '../auth/token-verifier';
import { Config } from '../config/config';
import { Database } from '../database/database';
import { problemOf } from '../http/problem-details';
import { sendProblem } from '../http/send-problem';
import { QUEUE_NAMES } from '../queues/job';
import { JobDispatcher } from '../queues/job-dispatcher';
import { SecretBox } from '../secrets/secret-box';
import { BoardActions } from './board-actions';
import { BoardAccess, type BoardSession } from './board-access';
import { registerLoginRoutes } from './login-routes';
import { type LoginAttempt, ProviderLogin } from './provider-login';
import { SealedCookie } from './sealed-cookie';

const BOARD_PATH = '/queues';

/**
 * Serves Bull Board at `/queues` for those who may see it. Call it before the app is initialised.
 *
 * Bull Board's own middleware option guards only the exact path on Fastify. Here all its routes live in one Fastify
 * scope, and the check is a hook of that scope: there is no spelling of a path that reaches a route without it.
 */
export function mountQueueBoard(app: NestFastifyApplication): void {
  const config = app.get(Config);
  const secretBox = app.get(SecretBox);
  const cookie = cookieOptions(config);
  const sessions = new SealedCookie<BoardSession>('cdp_board', cookie, secretBox);
  // The way back from the provider is a navigation from another site, which a strict cookie does not survive.
  const attempts = new SealedCookie<LoginAttempt>('cdp_login', { ...cookie, sameSite: 'lax' }, secretBox);
  const access = new BoardAccess(
    app.get(TokenVerifier, { strict: false }),
    sessions,
    config.tokens.anyIsEnough,
  );
  const actions = new BoardActions(app.get(AuditLog), app.get(Database), BOARD_PATH);
  // A browser that polls the board is counted for its person, not for its address.
  app
    .get(ManagementProtection, { strict: false })
    .recogniseBy(async (request) => sessionKey(sessions.read(request)));
  const board = bullBoard(app.get(JobDispatcher));

  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  // Not awaited: that would make Fastify build its root scope before Nest has set parsers and error handler there.
  void fastify.register(async (scope) => {
    await scope.register(fastifyCookie);
    registerLoginRoutes(scope, access, ProviderLogin.from(config, attempts));
    await scope.register(async (guarded) => {
      const visitors = new WeakMap<FastifyRequest, Identity>();
      guarded.addHook(
        'onRequest',
        answering(async (request) => void visitors.set(request, await access.check(request))),
      );
      guarded.addHook(
        'preHandler',
        answering(async (request) => {
          const visitor = visitors.get(request);
          if (visitor === undefined) throw new UnauthorizedError(false);
          await actions.admit(request, visitor);
        }),
      );
      await guarded.register(board.registerPlugin(), { prefix: BOARD_PATH });
    });
  });
}

function sessionKey(session: BoardSession | undefined): string | undefined {
  if (session === undefined) return undefined;
  const { subject, kind, issuer } = session;
  return `session ${JSON.stringify([subject, kind, issuer])}`;
}

function cookieOptions(config: Config): CookieSerializeOptions {
  const { publicUrl } = config.management;
  const secure = publicUrl?.startsWith('https:') ?? config.production;
  return { path: BOARD_PATH, sameSite: 'strict', secure };
}

function bullBoard(dispatcher: JobDispatcher): FastifyAdapter {
  const serverAdapter = new FastifyAdapter().setBasePath(BOARD_PATH);
  createBullBoard({
    queues: QUEUE_NAMES.map((name) => {
      const options = name === 'dead-letters' ? { externalJobUrl } : {};
      return new BullMQAdapter(dispatcher.queue(name), options);
    }),
    serverAdapter,
    options: {
      uiConfig: { boardTitle: 'Queues', miscLinks: [{ text: 'Log out', url: `${BOARD_PATH}/logout` }] },
    },
  });
  return serverAdapter;
}

/** Where to read on about a job that says so in its data. */
function externalJobUrl({ data }: { readonly data: unknown }): { displayText?: string; href: string } {
  const link = typeof data === 'object' && data !== null && 'link' in data ? String(data.link) : BOARD_PATH;
  return { displayText: 'Show the delivery', href: link };
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
      if (answer.status === 401 && isPageVisit) void reply.redirect(`${BOARD_PATH}/login`, 303);
      else sendProblem(request, reply, answer);
    }
  };
}
