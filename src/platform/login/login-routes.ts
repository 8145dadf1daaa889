import type { FastifyInstance, FastifyReply } from 'fastify';
import { UnauthorizedError } from '../auth/auth-problems';
import { InvalidTokenError } from '../auth/refused-token';
import type { TokenVerifier } from '../auth/token-verifier';
import { Problem } from '../http/problems/problem';
import { sendLoggedInPage, sendProviderPage, sendTokenForm } from './login-pages';
import { ProviderLogin } from './provider-login';
import { returnPathOf } from './return-path';
import { isSafeFromForgery, type Sessions } from './sessions';

/** The size of a token and of the form around it. Strangers may send one. */
const MAX_FORM_BYTES = 16 * 1024;

interface LoginQuery {
  readonly Querystring: { readonly to?: unknown };
}

/** The login with a token, where no identity provider is set up for the browser. */
export interface TokenLogin {
  readonly verifier: TokenVerifier;
  /** See `tokenCommand`. */
  readonly command: string | undefined;
}

/** Logging in and out with a browser, below `/login`. */
export function registerLoginRoutes(
  fastify: FastifyInstance,
  sessions: Sessions,
  login: ProviderLogin | TokenLogin,
): void {
  fastify.get('/logout', (_request, reply) => {
    sessions.end(reply);
    return reply.redirect('/login', 303);
  });
  if (login instanceof ProviderLogin) registerProviderLogin(fastify, sessions, login);
  else registerTokenForm(fastify, sessions, login);
}

function registerTokenForm(
  fastify: FastifyInstance,
  sessions: Sessions,
  { verifier, command }: TokenLogin,
): void {
  fastify.get<LoginQuery>('/login', ({ query }, reply) =>
    sendTokenForm(reply, returnPathOf(query.to), { command }),
  );
  fastify.post('/login', { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    const { token, to } = (request.body ?? {}) as { token?: unknown; to?: unknown };
    const returnPath = returnPathOf(to);
    if (typeof token !== 'string' || !isSafeFromForgery(request)) {
      sendTokenForm(reply.status(400), returnPath, { command, problem: 'Enter a token.' });
      return reply;
    }
    const logIn = async (): Promise<void> => {
      sessions.start(reply, await verifier.verify(token.trim()));
      sendLoggedInPage(reply, returnPath);
    };
    return orShown(logIn, reply, (problem) => sendTokenForm(reply, returnPath, { command, problem }));
  });
}

function registerProviderLogin(fastify: FastifyInstance, sessions: Sessions, provider: ProviderLogin): void {
  fastify.get<LoginQuery>('/login', ({ query }, reply) => sendProviderPage(reply, returnPathOf(query.to)));
  fastify.get<LoginQuery>('/login/start', async ({ query }, reply) => {
    const returnPath = returnPathOf(query.to);
    const leave = async (): Promise<void> => {
      const target = await provider.start(reply, returnPath);
      void reply.redirect(target.href, 303);
    };
    return orShown(leave, reply, (problem) => sendProviderPage(reply, returnPath, problem));
  });
  fastify.get('/login/callback', async (request, reply) => {
    let returnPath = returnPathOf(undefined);
    const comeBack = async (): Promise<void> => {
      const finished = await provider.finish(request, reply);
      if (finished === undefined)
        return sendProviderPage(reply.status(401), returnPath, 'The login did not succeed. Try again.');
      returnPath = finished.returnPath;
      sessions.start(reply, finished.principal);
      sendLoggedInPage(reply, returnPath);
    };
    return orShown(comeBack, reply, (problem) => sendProviderPage(reply, returnPath, problem));
  });
}

/** Answers, or shows the login page again with what was wrong. */
async function orShown(
  answer: () => Promise<void>,
  reply: FastifyReply,
  showProblem: (problem: string) => void,
): Promise<FastifyReply> {
  try {
    await answer();
  } catch (error) {
    const problem = error instanceof InvalidTokenError ? new UnauthorizedError(true) : error;
    if (!(problem instanceof Problem)) throw error;
    void reply.status(problem.status);
    showProblem(problem.message);
  }
  return reply;
}
