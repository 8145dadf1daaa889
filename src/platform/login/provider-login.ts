import { Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as oidc from 'openid-client';
import type { Principal } from '../auth/principal';
import { scopesOf } from '../auth/scopes-of';
import type { Config } from '../config/config';
import { InvalidConfigError } from '../config/invalid-config-error';
import { DependencyDownError } from '../http/problems/problem';
import { ThrottledWarning } from '../logging/throttled-warning';
import type { SealedCookie } from './sealed-cookie';

/** The state that must survive the way to the identity provider and back. */
export interface LoginAttempt {
  readonly codeVerifier: string;
  readonly state: string;
  readonly nonce: string;
  /** Where the person wanted to go. */
  readonly returnPath: string;
}

/** A login that succeeded. */
interface FinishedLogin {
  readonly principal: Principal;
  readonly returnPath: string;
}

const ATTEMPT_MS = 10 * 60_000;
const CALLBACK_PATH = '/login/callback';

/** Logging in with the browser at the identity provider: OpenID Connect, authorization code with PKCE. */
export class ProviderLogin {
  private readonly logger = new Logger('Logins');
  private readonly refusals = new ThrottledWarning(this.logger);
  private provider: oidc.Configuration | undefined;

  constructor(
    private readonly config: Config,
    private readonly attempts: SealedCookie<LoginAttempt>,
  ) {}

  /** @throws InvalidConfigError when the browser login is configured by half. */
  static from(config: Config, attempts: SealedCookie<LoginAttempt>): ProviderLogin | undefined {
    if (config.login.clientId === undefined) return undefined;
    const problems = missingVariables(config);
    if (problems.length > 0) throw new InvalidConfigError(problems.join('\n'));
    return new ProviderLogin(config, attempts);
  }

  /** Says at the start what else the first person would find who logs in. Never rejects. */
  async lookForProvider(): Promise<void> {
    try {
      this.provider ??= await this.discover();
    } catch (error) {
      // May stop here: it is looked for again when somebody logs in.
      const { issuer } = this.config.tokens;
      this.logger.warn(
        `Nobody can log in with the browser: ${issuer} does not answer as an identity provider (${reasonOf(error)}). ` +
          'Check CDP_JWT_ISSUER, and whether this process may reach it.',
      );
    }
  }

  /** @returns where to send the browser. @throws DependencyDownError */
  async start(reply: FastifyReply, returnPath: string): Promise<URL> {
    const codeVerifier = oidc.randomPKCECodeVerifier();
    const state = oidc.randomState();
    const nonce = oidc.randomNonce();
    const target = oidc.buildAuthorizationUrl(await this.discovered(), {
      redirect_uri: new URL(CALLBACK_PATH, this.config.management.publicUrl).href,
      scope: this.config.login.scope,
      code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    });
    this.attempts.write(reply, { codeVerifier, state, nonce, returnPath }, new Date(Date.now() + ATTEMPT_MS));
    return target;
  }

  /**
   * @returns who logged in, or undefined when this is not the end of a login that was started here.
   * @throws DependencyDownError
   */
  async finish(request: FastifyRequest, reply: FastifyReply): Promise<FinishedLogin | undefined> {
    const attempt = this.attempts.read(request);
    if (attempt === undefined) return undefined;
    this.attempts.clear(reply);
    const callbackUrl = new URL(request.url, this.config.management.publicUrl);
    const provider = await this.discovered();
    const tokens = await oidc
      .authorizationCodeGrant(provider, callbackUrl, {
        pkceCodeVerifier: attempt.codeVerifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      })
      // May stop here: a login that the provider refuses did not happen.
      .catch((error: unknown) => this.noteRefusal(error));
    const claims = tokens?.claims();
    if (tokens === undefined || claims === undefined) return undefined;
    const principal: Principal = {
      subject: claims.sub,
      kind: 'subject',
      issuer: claims.iss,
      scopes: new Set([
        ...scopesOf(claims, this.config.tokens.scopeClaim),
        ...scopesOf({ scope: tokens.scope }, 'scope'),
      ]),
      expiresAt: new Date(claims.exp * 1000),
    };
    return { principal, returnPath: attempt.returnPath };
  }

  /** This is for the operator. The person only learns that it did not work. */
  private noteRefusal(error: unknown): undefined {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    this.refusals.warn(`A login at the identity provider did not succeed: ${reasonOf(error)}`, { code });
  }

  private async discovered(): Promise<oidc.Configuration> {
    try {
      return (this.provider ??= await this.discover());
    } catch (error) {
      this.noteRefusal(error);
      throw new DependencyDownError('The identity provider');
    }
  }

  private discover(): Promise<oidc.Configuration> {
    const { clientId = '', clientSecret } = this.config.login;
    const issuer = new URL(this.config.tokens.issuer ?? '');
    return oidc.discovery(
      issuer,
      clientId,
      undefined,
      clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
      // The provider of a development machine has no certificate.
      issuer.protocol === 'http:' && !this.config.production ? { execute: [oidc.allowInsecureRequests] } : {},
    );
  }
}

/** With what is behind it: `fetch failed: connect ECONNREFUSED 127.0.0.1:8443`. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message}: ${reasonOf(error.cause)}` : error.message;
}

/** A line for each. */
function missingVariables({ tokens, management }: Config): string[] {
  const needed = [
    { name: 'CDP_JWT_ISSUER', value: tokens.issuer, why: 'to find the provider' },
    { name: 'CDP_PUBLIC_URL', value: management.publicUrl, why: 'to be found by the provider' },
  ];
  return needed
    .filter(({ value }) => value === undefined)
    .map(({ name, why }) => `${name} is not set: CDP_OIDC_CLIENT_ID needs it, ${why}.`);
}
