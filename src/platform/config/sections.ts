import type { Environment } from './config';

const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;

/**
 * The configuration by subject, with units in the names. Here the names of the environment end: the rest of the service
 * reads `config.delivery.maxAttempts`.
 */
export interface Sections {
  readonly http: {
    /** Address and port of the listener. */
    readonly host: string;
    readonly port: number;
    readonly requestTimeoutMs: number;
    /** Proxies that are believed: how many, or their addresses. */
    readonly trustProxy: number | string[] | undefined;
  };
  readonly metrics: {
    /** Of `/metrics` alone; undefined: it is on the port of the service. */
    readonly port: number | undefined;
  };
  readonly log: {
    readonly level: Environment['CDP_LOG_LEVEL'];
    readonly format: 'json' | 'text';
  };
  readonly shutdown: {
    /** How long a stopping process still takes requests. In development it stops at once. */
    readonly drainMs: number;
    /** How long requests and jobs may take after that. */
    readonly graceMs: number;
  };
  readonly database: {
    /** Whether an address is known: given, or that of the embedded one. */
    readonly isGiven: boolean;
    readonly replicaUrl: string | undefined;
    readonly preparedStatements: boolean;
    readonly poolSize: number;
  };
  readonly queue: {
    /** Undefined: the queue is in PostgreSQL. */
    readonly redisUrl: string | undefined;
  };
  /** Which bearer tokens the Management API takes. */
  readonly tokens: {
    readonly jwksUrl: string | undefined;
    readonly issuer: string | undefined;
    readonly audience: string | undefined;
    /** Of HS256, for development. */
    readonly secret: string | undefined;
    readonly scopeClaim: string;
    /** Whether a valid token may do everything whatever its scopes, by default outside production. */
    readonly anyIsEnough: boolean;
    /** Whether those of `cdp token --bootstrap` are taken. */
    readonly takesBootstrap: boolean;
    /** Whether production starts without an identity provider: when bootstrap tokens were asked for. */
    readonly needNoProvider: boolean;
  };
  /** The login of a browser at the identity provider. */
  readonly login: {
    readonly clientId: string | undefined;
    readonly clientSecret: string | undefined;
    readonly scope: string;
  };
  readonly management: {
    readonly requestsPerMinute: number;
    readonly hasSwagger: boolean;
    /** The address under which people reach the service. */
    readonly publicUrl: string | undefined;
  };
  readonly connectors: {
    /** Packages or files that are loaded. */
    readonly specifiers: readonly string[];
    /** Private networks that may be reached, as CIDRs; undefined: what is usual where the service runs. */
    readonly egressAllow: readonly string[] | undefined;
  };
  /** What the Events API accepts. Characters are UTF-16 units. */
  readonly intake: {
    /** Bytes of a request's body, after inflation. */
    readonly maxBodyBytes: number;
    readonly maxBatchEvents: number;
    /** Bytes of one event's JSON. */
    readonly maxEventBytes: number;
    /** Levels of objects and arrays in one event, the event itself included. */
    readonly maxDepth: number;
    readonly maxMessageIdLength: number;
    /** Characters of userId, anonymousId, groupId and previousId. */
    readonly maxIdLength: number;
    /** UTF-8 bytes of an event's or a page's name. */
    readonly maxNameBytes: number;
  };
  readonly events: {
    readonly retentionDays: number;
    readonly dedupWindowDays: number;
  };
  readonly profiles: {
    readonly maxIds: number;
    readonly maxTraits: number;
    readonly maxTraitBytes: number;
    readonly maxEventNames: number;
  };
  readonly segments: {
    readonly maxCount: number;
  };
  readonly delivery: {
    readonly timeoutMs: number;
    readonly maxAttempts: number;
    /** The pauses between tries grow from the first to the longest. */
    readonly backoff: { readonly firstWaitMs: number; readonly maxWaitMs: number };
    /** A delivery that is older is given up. */
    readonly maxAgeMs: number;
    /** Tries under way to one destination, per process. */
    readonly concurrency: number;
    /** How much later than its job a delivery is due for the sweeper. */
    readonly graceMs: number;
    readonly retentionDays: number;
    /** Failures in a row after which a destination is left alone for a while. */
    readonly breakerFailures: number;
  };
}

/** The one place that knows which variable is what. */
export function sectionsOf(env: Environment): Sections {
  const production = env.NODE_ENV === 'production';
  return {
    http: {
      host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
      port: env.PORT,
      requestTimeoutMs: env.CDP_REQUEST_TIMEOUT_SECONDS * SECOND_MS,
      trustProxy: env.CDP_TRUST_PROXY,
    },
    metrics: { port: env.CDP_METRICS_PORT },
    log: { level: env.CDP_LOG_LEVEL, format: env.CDP_LOG_FORMAT ?? (production ? 'json' : 'text') },
    shutdown: {
      drainMs: (env.CDP_SHUTDOWN_DRAIN_SECONDS ?? (production ? 5 : 0)) * SECOND_MS,
      graceMs: env.CDP_SHUTDOWN_GRACE_SECONDS * SECOND_MS,
    },
    database: {
      isGiven: env.CDP_DATABASE_URL !== undefined,
      replicaUrl: env.CDP_DATABASE_REPLICA_URL,
      preparedStatements: env.CDP_DATABASE_PREPARED_STATEMENTS,
      poolSize: env.CDP_DATABASE_POOL_SIZE,
    },
    queue: { redisUrl: env.CDP_REDIS_URL },
    tokens: {
      jwksUrl: env.CDP_JWT_JWKS_URL,
      issuer: env.CDP_JWT_ISSUER,
      audience: env.CDP_JWT_AUDIENCE,
      secret: env.CDP_JWT_SECRET,
      scopeClaim: env.CDP_JWT_SCOPE_CLAIM,
      anyIsEnough: env.CDP_AUTH_ANY_TOKEN ?? !production,
      takesBootstrap: env.CDP_BOOTSTRAP_TOKENS ?? true,
      needNoProvider: env.CDP_BOOTSTRAP_TOKENS === true,
    },
    login: {
      clientId: env.CDP_OIDC_CLIENT_ID,
      clientSecret: env.CDP_OIDC_CLIENT_SECRET,
      scope: env.CDP_OIDC_SCOPE,
    },
    management: {
      requestsPerMinute: env.CDP_MANAGEMENT_REQUESTS_PER_MINUTE,
      hasSwagger: env.CDP_SWAGGER_ENABLED,
      publicUrl: env.CDP_PUBLIC_URL,
    },
    connectors: { specifiers: env.CDP_CONNECTORS, egressAllow: env.CDP_EGRESS_ALLOW },
    intake: {
      maxBodyBytes: env.CDP_MAX_BATCH_BYTES,
      maxBatchEvents: env.CDP_MAX_BATCH_EVENTS,
      maxEventBytes: env.CDP_MAX_EVENT_BYTES,
      maxDepth: env.CDP_MAX_EVENT_DEPTH,
      maxMessageIdLength: env.CDP_MAX_MESSAGE_ID_LENGTH,
      maxIdLength: env.CDP_MAX_ID_LENGTH,
      maxNameBytes: env.CDP_MAX_NAME_BYTES,
    },
    ...storageSectionsOf(env),
  };
}

/** What is kept, and for how long; how it is delivered. */
function storageSectionsOf(
  env: Environment,
): Pick<Sections, 'events' | 'profiles' | 'segments' | 'delivery'> {
  return {
    events: { retentionDays: env.CDP_EVENT_RETENTION_DAYS, dedupWindowDays: env.CDP_DEDUP_WINDOW_DAYS },
    profiles: {
      maxIds: env.CDP_PROFILE_MAX_IDS,
      maxTraits: env.CDP_PROFILE_MAX_TRAITS,
      maxTraitBytes: env.CDP_PROFILE_MAX_TRAIT_BYTES,
      maxEventNames: env.CDP_PROFILE_MAX_EVENT_NAMES,
    },
    segments: { maxCount: env.CDP_SEGMENTS_MAX },
    delivery: {
      timeoutMs: env.CDP_DELIVERY_TIMEOUT_MS,
      maxAttempts: env.CDP_DELIVERY_MAX_ATTEMPTS,
      backoff: { firstWaitMs: env.CDP_DELIVERY_BACKOFF_MS, maxWaitMs: env.CDP_DELIVERY_BACKOFF_CAP_MS },
      maxAgeMs: env.CDP_DELIVERY_MAX_AGE_HOURS * HOUR_MS,
      concurrency: env.CDP_DELIVERY_CONCURRENCY,
      graceMs: env.CDP_DELIVERY_GRACE_MS,
      retentionDays: env.CDP_DELIVERY_RETENTION_DAYS,
      breakerFailures: env.CDP_BREAKER_FAILURES,
    },
  };
}
