import type { FastifyInstance, FastifyReply } from 'fastify';
import { UnauthorizedError } from '../auth/auth-problems';
import { InvalidTokenError } from '../auth/refused-token';
import type { TokenVerifier } from '../auth/token-verifier';
import { Problem } from '../http/problems/problem';
import { sendLoggedInPage, sendProviderPage, sendTokenForm } from './login-pages';
import type { ProviderLogin } from './provider-login';
import { returnPathOf } from './return-path';
import { isSafeFromForgery, type Sessions } from './sessions';

/** The size of a token and of the form around it. Strangers may send one. */
const MAX_FORM_BYTES = 16 * 1024;

interface LoginQuery {
  readonly Querystring: { readonly to?: unknown };
}

/** Logging in and out with a browser, below `/login`. */
export function registerLoginRoutes(
  fastify: FastifyInstance,
  sessions: Sessions,
  verifier: TokenVerifier,
  provider: ProviderLogin | undefined,
): void {
  fastify.get('/logout', (_request, reply) => {
    sessions.end(reply);
    return reply.redirect('/login', 303);
  });
  if (provider === undefined) registerTokenForm(fastify, sessions, verifier);
  else registerProviderLogin(fastify, sessions, provider);
}

function registerTokenForm(fastify: FastifyInstance, sessions: Sessions, verifier: TokenVerifier): void {
  fastify.get<LoginQuery>('/login', ({ query }, reply) => sendTokenForm(reply, returnPathOf(query.to)));
  fastify.post('/login', { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    const { token, to } = (request.body ?? {}) as { token?: unknown; to?: unknown };
    const returnPath = returnPathOf(to);
    if (typeof token !== 'string' || !isSafeFromForgery(request)) {
      sendTokenForm(reply.status(400), returnPath, 'Enter a token.');
      return reply;
    }
    await answerLogin(
      reply,
      returnPath,
      async () => sessions.start(reply, await verifier.verify(token.trim())),
      (problem) => sendTokenForm(reply, returnPath, problem),
    );
    return reply;
  });
}

function registerProviderLogin(fastify: FastifyInstance, sessions: Sessions, provider: ProviderLogin): void {
  fastify.get<LoginQuery>('/login', ({ query }, reply) => sendProviderPage(reply, returnPathOf(query.to)));
  fastify.get<LoginQuery>('/login/start', async ({ query }, reply) => {
    const target = await provider.start(reply, returnPathOf(query.to));
    return reply.redirect(target.href, 303);
  });
  fastify.get('/login/callback', async (request, reply) => {
    const finished = await provider.finish(request, reply);
    if (finished === undefined) {
      sendProviderPage(reply.status(401), returnPathOf(undefined), 'The login did not succeed. Try again.');
      return reply;
    }
    const { principal, returnPath } = finished;
    await answerLogin(
      reply,
      returnPath,
      async () => sessions.start(reply, principal),
      (problem) => sendProviderPage(reply, returnPath, problem),
    );
    return reply;
  });
}

/** Shows the page behind the login, or the login page again with what was wrong. */
async function answerLogin(
  reply: FastifyReply,
  returnPath: string,
  logIn: () => Promise<void>,
  showProblem: (problem: string) => void,
): Promise<void> {
  try {
    await logIn();
  } catch (error) {
    const problem = error instanceof InvalidTokenError ? new UnauthorizedError(true) : error;
    if (!(problem instanceof Problem)) throw error;
    void reply.status(problem.status);
    showProblem(problem.message);
    return;
  }
  sendLoggedInPage(reply, returnPath);
}
