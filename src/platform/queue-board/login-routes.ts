import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '../http/problem';
import { type BoardAccess, isSafeFromForgery } from './board-access';
import { sendLoggedInPage, sendProviderPage, sendTokenForm } from './pages';
import type { ProviderLogin } from './provider-login';

/** The size of a token and of the form around it. Strangers may send one. */
const MAX_FORM_BYTES = 16 * 1024;

/** Logging in and out with a browser, below `/queues/login`. */
export function registerLoginRoutes(
  fastify: FastifyInstance,
  access: BoardAccess,
  provider: ProviderLogin | undefined,
): void {
  fastify.get('/queues/logout', (_request, reply) => {
    access.logOut(reply);
    return reply.redirect('/queues/login', 303);
  });
  if (provider === undefined) registerTokenForm(fastify, access);
  else registerProviderLogin(fastify, access, provider);
}

function registerTokenForm(fastify: FastifyInstance, access: BoardAccess): void {
  fastify.get('/queues/login', (_request, reply) => sendTokenForm(reply));
  fastify.post('/queues/login', { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    const token = (request.body as { token?: unknown } | null)?.token;
    if (typeof token !== 'string' || !isSafeFromForgery(request)) {
      sendTokenForm(reply.status(400), 'Enter a token.');
      return reply;
    }
    await answerLogin(
      reply,
      () => access.logIn(reply, token.trim()),
      (problem) => sendTokenForm(reply, problem),
    );
    return reply;
  });
}

function registerProviderLogin(fastify: FastifyInstance, access: BoardAccess, provider: ProviderLogin): void {
  fastify.get('/queues/login', (_request, reply) => sendProviderPage(reply));
  fastify.get('/queues/login/start', async (_request, reply) => {
    const target = await provider.start(reply);
    return reply.redirect(target.href, 303);
  });
  fastify.get('/queues/login/callback', async (request, reply) => {
    const principal = await provider.finish(request, reply);
    if (principal === undefined) {
      sendProviderPage(reply.status(401), 'The login did not succeed. Try again.');
      return reply;
    }
    await answerLogin(
      reply,
      async () => access.startSession(reply, principal),
      (problem) => sendProviderPage(reply, problem),
    );
    return reply;
  });
}

/** Shows the page behind the login, or the login page again with what was wrong. */
async function answerLogin(
  reply: FastifyReply,
  logIn: () => Promise<void>,
  showProblem: (problem: string) => void,
): Promise<void> {
  try {
    await logIn();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    void reply.status(error.status);
    showProblem(error.message);
    return;
  }
  sendLoggedInPage(reply);
}
