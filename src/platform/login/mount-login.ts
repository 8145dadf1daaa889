import fastifyCookie from '@fastify/cookie';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { tokenCommand } from '../auth/token-command';
import { TokenVerifier } from '../auth/token-verifier';
import { Config } from '../config/config';
import { SecretBox } from '../secrets/secret-box';
import { registerLoginRoutes } from './login-routes';
import { type LoginAttempt, ProviderLogin } from './provider-login';
import { SealedCookie } from './sealed-cookie';
import { cookieOptions, Sessions } from './sessions';

/** Serves `/login` and `/logout`, for the console and the queue board. Call it before the app is initialised. */
export function mountLogin(app: NestFastifyApplication): void {
  const config = app.get(Config);
  // The way back from the provider is a navigation from another site, which a strict cookie does not survive.
  const options = { ...cookieOptions(config), sameSite: 'lax' } as const;
  const attempts = new SealedCookie<LoginAttempt>('cdp_login', options, app.get(SecretBox));
  const provider = ProviderLogin.from(config, attempts);
  void provider?.lookForProvider();
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  // Not awaited: that would make Fastify build its root scope before Nest has set parsers and error handler there.
  void fastify.register(async (scope) => {
    await scope.register(fastifyCookie);
    registerLoginRoutes(
      scope,
      app.get(Sessions, { strict: false }),
      provider ?? { verifier: app.get(TokenVerifier, { strict: false }), command: tokenCommand(config) },
    );
  });
}
