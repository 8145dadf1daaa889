import * as oidc from 'openid-client';
import type { ConnectorContext, OutboundHttp } from '../connector-context';
import { PermanentDeliveryError, RetryableDeliveryError } from '../delivery-error';
import { isBearerToken, type OAuth2ClientCredentials } from './webhook-auth';
import { WebhookConfig } from './webhook-config';

/** Of a token whose server does not say how long it lasts. */
const DEFAULT_LIFE_SECONDS = 300;
/** A token is renewed when so much of its life is left, or a minute when that is less. */
const RENEWAL_PART = 0.1;
const MAX_RENEWAL_MS = 60_000;
/** From a renewal that has not succeeded to the next one. */
const RENEWAL_PAUSE_MS = 5_000;
/** After a token was refused that is younger than this, another one would be, too. */
const MIN_AGE_MS = 10_000;

/** RFC 6749, section 5.2. Nothing else of the answer is shown: it may repeat the client's secret. */
const REASONS = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);

/** A config whose requests carry a token. Times are those of `performance.now()`. */
class Authorized {
  readonly config: Promise<WebhookConfig>;
  /** The same, once it is there. */
  known: WebhookConfig | undefined;
  readonly askedAt = performance.now();
  renewAt = Infinity;
  endsAt = Infinity;

  constructor(config: WebhookConfig, asked: Promise<oidc.TokenEndpointResponse>) {
    this.config = asked.then(
      (answer) => this.useToken(config, answer),
      (error: unknown) => {
        this.renewAt = this.endsAt = 0;
        throw error;
      },
    );
  }

  private useToken(
    config: WebhookConfig,
    { access_token: token, expires_in }: oidc.TokenEndpointResponse,
  ): WebhookConfig {
    const lifeMs = (expires_in ?? DEFAULT_LIFE_SECONDS) * 1_000;
    this.endsAt = this.askedAt + lifeMs;
    this.renewAt = this.endsAt - Math.min(lifeMs * RENEWAL_PART, MAX_RENEWAL_MS);
    this.known = Object.assign(new WebhookConfig(), config, { auth: { type: 'bearer', token } });
    return this.known;
  }
}

/**
 * The access tokens of webhook destinations, by the client credentials of OAuth 2.0 (RFC 6749, section 4.4). A token is
 * asked for once for all tries that wait for it in this process, and renewed before it ends. It is kept as long as its
 * config, which is another object after each change of the destination.
 */
export class AccessTokens {
  private readonly kept = new WeakMap<WebhookConfig, Authorized>();

  /**
   * The config with a token in place of the grant.
   * @throws RetryableDeliveryError when there is none before the try ends
   */
  of(
    config: WebhookConfig,
    grant: OAuth2ClientCredentials,
    { http }: ConnectorContext,
  ): Promise<WebhookConfig> {
    const kept = this.kept.get(config);
    if (kept !== undefined && performance.now() < kept.renewAt) return kept.config;
    const authorized = new Authorized(config, askFor(grant, httpOf(config, grant, http)));
    if (kept === undefined || performance.now() >= kept.endsAt) {
      this.kept.set(config, authorized);
      return authorized.config;
    }
    // The old one is good until then: nobody waits for its renewal, nor for what may be wrong with the token address.
    kept.renewAt = Math.min(kept.endsAt, performance.now() + RENEWAL_PAUSE_MS);
    authorized.config.then(
      () => this.kept.set(config, authorized),
      () => undefined,
    );
    return kept.config;
  }

  /**
   * Forgets a token that a receiver has refused. Returns whether another one may do better.
   * @param refused the config with that token
   */
  renews(config: WebhookConfig, refused: WebhookConfig): boolean {
    const kept = this.kept.get(config);
    // Another try was refused before, and another token asked for.
    if (kept?.known !== refused) return true;
    if (performance.now() - kept.askedAt < MIN_AGE_MS) return false;
    this.kept.delete(config);
    return true;
  }
}

/** The certificates of the receiver are for its origin alone: another one gets to see none, and is trusted as usual. */
function httpOf(
  { url, tls }: WebhookConfig,
  { tokenUrl }: OAuth2ClientCredentials,
  http: OutboundHttp,
): OutboundHttp {
  if (tls === undefined || new URL(url).origin !== new URL(tokenUrl).origin) return http;
  return { request: (request) => http.request({ ...request, tls }) };
}

async function askFor(
  { tokenUrl, clientId, clientSecret, scope, audience }: OAuth2ClientCredentials,
  http: OutboundHttp,
): Promise<oidc.TokenEndpointResponse> {
  const server = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
  const client = new oidc.Configuration(server, clientId, {}, oidc.ClientSecretBasic(clientSecret));
  // Whether the address may be one without TLS is for the egress policy.
  oidc.allowInsecureRequests(client);
  client[oidc.customFetch] = (url, { headers, body }) => fetchBy(http, { url, headers, body });
  try {
    const answer = await oidc.clientCredentialsGrant(client, {
      ...(scope === undefined ? {} : { scope }),
      ...(audience === undefined ? {} : { audience }),
    });
    if (isBearerToken(answer.access_token)) return answer;
  } catch (error) {
    throw failureOf(error);
  }
  throw noToken('The token is none that a header can hold.');
}

type TokenRequest = Pick<oidc.CustomFetchOptions, 'headers' | 'body'> & { readonly url: string };

async function fetchBy(http: OutboundHttp, { url, headers, body }: TokenRequest): Promise<Response> {
  const answer = await http.request({
    url,
    method: 'POST',
    headers,
    body: (body as URLSearchParams).toString(),
  });
  return new Response(Uint8Array.from(answer.body), { status: answer.status, headers: answer.headers });
}

/** Says why there is no token, with nothing that a server could repeat of the client's secret. */
function failureOf(error: unknown): RetryableDeliveryError {
  if (error instanceof RetryableDeliveryError) return error;
  if (error instanceof oidc.ResponseBodyError) {
    const reason = REASONS.has(error.error) ? error.error : 'no known reason';
    return noToken(`The token address answered ${error.status}: ${reason}.`);
  }
  if (error instanceof oidc.WWWAuthenticateChallengeError)
    return noToken(`The token address answered ${error.status}.`);
  const { cause } = error as { readonly cause?: unknown };
  if (cause instanceof RetryableDeliveryError || cause instanceof PermanentDeliveryError)
    return noToken(`The token address could not be asked: ${cause.errorClass}.`);
  if (cause instanceof Response) return noToken(`The token address answered ${cause.status}.`);
  return noToken('The token address answered with no token.');
}

function noToken(excerpt: string): RetryableDeliveryError {
  return new RetryableDeliveryError('token_failed', { excerpt });
}
