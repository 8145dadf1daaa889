import { Logger } from '@nestjs/common';
import { createRemoteJWKSet, customFetch, errors, type JWTVerifyGetKey } from 'jose';
import { DependencyDownError } from '../http/problems/problem';

/** Keys older than this are fetched again, in the background: a withdrawn key is refused at most this much later. */
const REFRESH_AFTER_MS = 5 * 60_000;
/** Unknown key ids cause at most one request to the provider in this time, so a flood of them does no harm. */
const COOLDOWN_MS = 10_000;
const TIMEOUT_MS = 5_000;

type RemoteKeySet = ReturnType<typeof createRemoteJWKSet>;

/**
 * The public keys of an identity provider. A new key is found at its first use. Known keys outlive an outage of
 * the provider, however long: refusing every token would turn its outage into ours.
 */
export class RemoteKeys {
  private readonly logger = new Logger(RemoteKeys.name);
  private keySet: RemoteKeySet | undefined;
  private loading: Promise<RemoteKeySet> | undefined;
  private refreshedAt = 0;
  private failedAt = -Infinity;

  /** @param findJwksUrl where the keys are; called until it resolves once. */
  constructor(private readonly findJwksUrl: () => Promise<URL>) {}

  /** @throws DependencyDownError when no keys were ever loaded; jose's errors for a token without a matching key. */
  readonly keyFor: JWTVerifyGetKey = async (header, token) => {
    const keySet = await this.loaded();
    if (Date.now() - this.refreshedAt > REFRESH_AFTER_MS) this.refreshInBackground(keySet);
    try {
      return await keySet(header, token);
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
        throw error;
      // The provider was asked for an unknown key and is away. The token is refused like any with an unknown key.
      this.noteFailure(error);
      throw new errors.JWKSNoMatchingKey(undefined, { cause: error });
    }
  };

  /** Requests that come before the provider has answered wait for one answer. */
  private async loaded(): Promise<RemoteKeySet> {
    if (this.keySet !== undefined) return this.keySet;
    this.loading ??= this.load().finally(() => (this.loading = undefined));
    return this.loading;
  }

  private async load(): Promise<RemoteKeySet> {
    try {
      this.refuseSoonAfterFailure();
      const keySet = this.createKeySet(await this.findJwksUrl());
      await keySet.reload();
      this.refreshedAt = Date.now();
      return (this.keySet = keySet);
    } catch (error) {
      this.noteFailure(error);
      throw new DependencyDownError('The identity provider');
    }
  }

  private createKeySet(url: URL): RemoteKeySet {
    return createRemoteJWKSet(url, {
      cacheMaxAge: Infinity,
      cooldownDuration: COOLDOWN_MS,
      timeoutDuration: TIMEOUT_MS,
      [customFetch]: async (...request) => {
        this.refuseSoonAfterFailure();
        const answer = await fetch(...request);
        this.refreshedAt = Date.now();
        return answer;
      },
    });
  }

  private refreshInBackground(keySet: RemoteKeySet): void {
    this.refreshedAt = Date.now();
    // May stop here: the keys at hand go on working.
    keySet.reload().catch((error: unknown) => this.noteFailure(error));
  }

  private refuseSoonAfterFailure(): void {
    if (Date.now() - this.failedAt < COOLDOWN_MS)
      throw new Error('The identity provider failed a moment ago');
  }

  private noteFailure(error: unknown): void {
    if (Date.now() - this.failedAt < COOLDOWN_MS) return;
    this.failedAt = Date.now();
    this.logger.warn(`The keys of the identity provider could not be fetched: ${String(error)}`);
  }
}

/** Finds the key set of an OpenID provider: `<issuer>/.well-known/openid-configuration`. */
export async function discoverJwksUrl(issuer: string): Promise<URL> {
  const wellKnown = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
  const answer = await fetch(wellKnown, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const metadata = (await answer.json()) as { issuer?: unknown; jwks_uri?: unknown };
  if (metadata.issuer !== issuer) throw new Error(`${wellKnown.href} speaks for another issuer`);
  if (typeof metadata.jwks_uri !== 'string') throw new Error(`${wellKnown.href} names no jwks_uri`);
  const jwksUrl = new URL(metadata.jwks_uri);
  if (wellKnown.protocol === 'https:' && jwksUrl.protocol !== 'https:') {
    throw new Error(`${wellKnown.href} names a jwks_uri without TLS`);
  }
  return jwksUrl;
}
