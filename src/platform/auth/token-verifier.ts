import { Injectable } from '@nestjs/common';
import { jwtVerify, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { Config } from '../config/config';
import { InvalidConfigError } from '../config/invalid-config-error';
import { DependencyDownError } from '../http/problems/problem';
import { isBootstrapToken } from './bootstrap-token';
import { BootstrapTokens } from './bootstrap-tokens';
import type { Principal } from './principal';
import { InvalidTokenError, RefusalLog } from './refused-token';
import { discoverJwksUrl, RemoteKeys } from './remote-keys';
import { identityOf, namelessIdentity } from './token-identity';
import { scopesOf } from './scopes-of';
import { markOfOtherToken } from './token-type';

/** Signatures of an identity provider. None is symmetric: a public key must never be taken for a secret. */
const PROVIDER_ALGORITHMS = 'RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' ');
/** How far the clocks of the provider and of this machine may differ. */
const CLOCK_TOLERANCE_SECONDS = 10;
/** Longer than any real token; keeps the work of parsing bounded. */
const MAX_TOKEN_LENGTH = 12_000;

/** Only tokens made with the development secret may go without an expiry. */
const NEVER = new Date('9999-12-31');

interface Rules {
  readonly key: JWTVerifyGetKey;
  readonly options: JWTVerifyOptions;
}

/**
 * Decides whether a JWT is valid and what it may do: signed by the configured identity provider, or, where there
 * is none, with the development secret; or made by `cdp token --bootstrap`.
 */
@Injectable()
export class TokenVerifier {
  private readonly rules: Rules | undefined;
  private readonly refusals = new RefusalLog();

  constructor(
    private readonly config: Config,
    private readonly bootstrapTokens: BootstrapTokens,
  ) {
    this.rules = rulesOf(config);
  }

  /** @throws InvalidTokenError; DependencyDownError when the keys of the provider were never loaded. */
  async verify(token: string): Promise<Principal> {
    try {
      return await this.principalOf(token);
    } catch (error) {
      if (error instanceof DependencyDownError) throw error;
      const refusal = InvalidTokenError.from(error);
      this.refusals.note(refusal);
      throw refusal;
    }
  }

  private async principalOf(token: string): Promise<Principal> {
    if (token.length > MAX_TOKEN_LENGTH)
      throw new InvalidTokenError('malformed', 'longer than a token may be');
    if (isBootstrapToken(token)) return this.bootstrapTokens.verify(token);
    if (this.rules === undefined) throw new InvalidTokenError('key', 'no identity provider is configured');
    const { payload, protectedHeader } = await jwtVerify(token, this.rules.key, this.rules.options);
    const mark = markOfOtherToken(protectedHeader, payload);
    if (mark !== undefined) throw new InvalidTokenError('type', `${mark} marks it as no access token`);
    const identity = identityOf(payload);
    if (identity === undefined && this.config.production) {
      throw new InvalidTokenError('subject', 'it names nobody in sub, client_id or azp');
    }
    return {
      ...(identity ?? namelessIdentity(token, payload)),
      scopes: scopesOf(payload, this.config.tokens.scopeClaim),
      expiresAt: payload.exp === undefined ? NEVER : new Date(payload.exp * 1000),
    };
  }
}

/** @returns undefined where only bootstrap tokens are taken. */
function rulesOf(config: Config): Rules | undefined {
  const { jwksUrl, issuer, audience, secret, needNoProvider } = config.tokens;
  const common = {
    issuer,
    audience,
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
  };
  if (jwksUrl === undefined && secret !== undefined) {
    const key = new TextEncoder().encode(secret);
    const requiredClaims = config.production ? ['exp'] : [];
    return { key: async () => key, options: { ...common, algorithms: ['HS256'], requiredClaims } };
  }
  if (jwksUrl === undefined && issuer === undefined && needNoProvider) return undefined;
  if (issuer === undefined || audience === undefined) {
    throw new InvalidConfigError(
      'CDP_JWT_ISSUER, CDP_JWT_AUDIENCE: both are needed to check the tokens of an identity provider. ' +
        'For development, set CDP_JWT_SECRET instead.',
    );
  }
  const keys = new RemoteKeys(async () =>
    jwksUrl === undefined ? discoverJwksUrl(issuer) : new URL(jwksUrl),
  );
  const options = { ...common, algorithms: PROVIDER_ALGORITHMS, requiredClaims: ['exp'] };
  return { key: keys.keyFor, options };
}
