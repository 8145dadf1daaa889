import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseRedisAddress } from '../queues/redis-address';
import { type Sections, sectionsOf } from './sections';
import { checkProduction, mustBeStrongKey, mustBeStrongKeys } from './production-rules';

export type Role = 'management' | 'events' | 'worker';

/** Thrown when the environment does not make a valid configuration; the message names each variable. */
export class InvalidConfigError extends Error {}

const flag = z.stringbool();
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
);
const positiveInt = z.coerce.number().int().positive();
/** The number of proxies in front of the service, or their addresses. */
const proxies = z.union([
  z.coerce.number().int().min(0).max(16),
  list.refine(
    (addresses) => addresses.every((address) => ipaddr.isValid(address) || ipaddr.isValidCIDR(address)),
    'must be a number of proxies, or their addresses such as 10.0.0.0/8',
  ),
]);
const roles = list.pipe(z.array(z.enum(['management', 'events', 'worker'])).min(1));

/**
 * Every environment variable of the service: name, type and default. `.env.example` lists the same names.
 * An empty value counts as not set, except where the empty value has a meaning of its own (CDP_EGRESS_ALLOW).
 */
const variables = z.object({
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: z.string().optional(),
  PORT: z.coerce.number().int().min(0).max(65535).default(3000),
  CDP_METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  CDP_ROLES: roles.default(['management', 'events', 'worker']),
  CDP_PROCESSES: z.union([z.literal('auto'), positiveInt.max(256)]).default(1),
  CDP_LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  CDP_LOG_FORMAT: z.enum(['json', 'text']).optional(),
  // These decide whether anything is traced. @opentelemetry/* itself reads them, and the other variables it knows.
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_SDK_DISABLED: flag.default(false),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: z.string().optional(),
  OTEL_TRACES_SAMPLER_ARG: z.string().optional(),
  CDP_TRUST_PROXY: proxies.optional(),
  CDP_REQUEST_TIMEOUT_SECONDS: positiveInt.default(60),
  CDP_SHUTDOWN_GRACE_SECONDS: positiveInt.default(20),
  CDP_SHUTDOWN_DRAIN_SECONDS: z.coerce.number().int().min(0).optional(),

  CDP_DATA_DIR: z.string().default('.data'),
  CDP_DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  CDP_DATABASE_EMBEDDED: flag.optional(),
  CDP_DATABASE_DIRECT_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  CDP_DATABASE_REPLICA_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  CDP_DATABASE_PREPARED_STATEMENTS: flag.default(true),
  CDP_DATABASE_POOL_SIZE: positiveInt.default(12),
  CDP_REDIS_URL: z.string().superRefine(mustBeRedisAddress).optional(),

  CDP_JWT_JWKS_URL: z.url({ protocol: /^https?$/ }).optional(),
  CDP_JWT_ISSUER: z.string().optional(),
  CDP_JWT_AUDIENCE: z.string().optional(),
  CDP_JWT_SECRET: z.string().superRefine(mustBeStrongKey).optional(),
  CDP_JWT_SCOPE_CLAIM: z.string().default('scope'),
  CDP_AUTH_ANY_TOKEN: flag.optional(),
  CDP_BOOTSTRAP_TOKENS: flag.optional(),
  CDP_MANAGEMENT_REQUESTS_PER_MINUTE: z.coerce.number().int().min(0).default(6_000),
  CDP_OIDC_CLIENT_ID: z.string().optional(),
  CDP_OIDC_CLIENT_SECRET: z.string().optional(),
  CDP_OIDC_SCOPE: z.string().default('openid'),
  CDP_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  CDP_ENCRYPTION_KEY: z.string().superRefine(mustBeStrongKeys).optional(),

  CDP_EGRESS_ALLOW: list
    .refine((cidrs) => cidrs.every((cidr) => ipaddr.isValidCIDR(cidr)), 'must be CIDRs such as 10.0.0.0/8')
    .optional(),
  CDP_CONNECTORS: list.default([]),
  CDP_SWAGGER_ENABLED: flag.default(true),

  // SDKs cut their batches at 500 KB. The rest, an eighth, is for what they wrap around them.
  CDP_MAX_BATCH_BYTES: positiveInt.max(64 * 1024 * 1024).default(576_000),
  CDP_MAX_BATCH_EVENTS: positiveInt.max(100_000).default(2_500),
  CDP_MAX_EVENT_BYTES: positiveInt.max(16 * 1024 * 1024).default(32_768),
  // PostgreSQL's JSON parser has a stack that ends at some thousand levels.
  CDP_MAX_EVENT_DEPTH: positiveInt.max(1_000).default(64),
  CDP_MAX_MESSAGE_ID_LENGTH: positiveInt.max(10_000).default(255),
  // An id of 3 bytes a character and a name must fit together into an index entry of PostgreSQL, 2,704 bytes.
  CDP_MAX_ID_LENGTH: positiveInt.max(512).default(512),
  CDP_MAX_NAME_BYTES: positiveInt.max(1_024).default(1_024),

  CDP_PROFILE_MAX_IDS: positiveInt.min(2).default(1_000),
  CDP_PROFILE_MAX_TRAITS: positiveInt.default(1_000),
  CDP_PROFILE_MAX_TRAIT_BYTES: positiveInt.default(65_536),
  CDP_PROFILE_MAX_EVENT_NAMES: positiveInt.default(1_000),

  CDP_EVENT_RETENTION_DAYS: positiveInt.default(365),
  CDP_DEDUP_WINDOW_DAYS: positiveInt.min(1).default(7),

  CDP_DELIVERY_TIMEOUT_MS: positiveInt.default(15_000),
  CDP_DELIVERY_MAX_ATTEMPTS: positiveInt.max(1_000).default(19),
  CDP_DELIVERY_BACKOFF_MS: positiveInt.default(2_000),
  CDP_DELIVERY_BACKOFF_CAP_MS: positiveInt.default(6 * 60 * 60 * 1000),
  CDP_DELIVERY_MAX_AGE_HOURS: z.coerce.number().positive().default(72),
  CDP_DELIVERY_CONCURRENCY: positiveInt.default(32),
  CDP_DELIVERY_GRACE_MS: positiveInt.default(30_000),
  CDP_DELIVERY_RETENTION_DAYS: positiveInt.default(30),
  CDP_BREAKER_FAILURES: positiveInt.default(20),
  CDP_SEGMENTS_MAX: positiveInt.default(2_000),
});

/**
 * A developer waits for the retry of a receiver that is being written. So retries come after 0.5 s, 1 s, 2 s, 4 s, 8 s and then
 * every 15 s, for four hours.
 */
const DEVELOPMENT_DEFAULTS = {
  CDP_DELIVERY_MAX_ATTEMPTS: '1000',
  CDP_DELIVERY_BACKOFF_MS: '500',
  CDP_DELIVERY_BACKOFF_CAP_MS: '15000',
};

const HOURS_A_DAY = 24;
const environment = variables
  .refine((env) => env.CDP_MAX_EVENT_BYTES <= env.CDP_MAX_BATCH_BYTES, {
    path: ['CDP_MAX_EVENT_BYTES'],
    message: 'must not be more than CDP_MAX_BATCH_BYTES',
  })
  .refine((env) => env.CDP_DELIVERY_RETENTION_DAYS * HOURS_A_DAY >= env.CDP_DELIVERY_MAX_AGE_HOURS, {
    path: ['CDP_DELIVERY_RETENTION_DAYS'],
    message: 'must not be shorter than CDP_DELIVERY_MAX_AGE_HOURS, in which a delivery may still be tried',
  })
  .refine((env) => env.CDP_EVENT_RETENTION_DAYS * HOURS_A_DAY >= env.CDP_DELIVERY_MAX_AGE_HOURS, {
    path: ['CDP_EVENT_RETENTION_DAYS'],
    message: 'must not be shorter than CDP_DELIVERY_MAX_AGE_HOURS, in which its deliveries are still tried',
  })
  .refine((env) => env.CDP_METRICS_PORT !== env.PORT || env.PORT === 0, {
    path: ['CDP_METRICS_PORT'],
    message: 'must be another port than PORT',
  })
  .superRefine(checkProduction);

export const VARIABLE_NAMES: readonly string[] = Object.keys(variables.shape);

export type Environment = z.infer<typeof environment>;

/** What boot makes up outside production. */
export interface MadeSecrets {
  readonly encryptionKey: string | undefined;
  readonly jwtSecret: string | undefined;
}

/** Variables of earlier versions: what stands in their place. */
const REMOVED_VARIABLES: Readonly<Record<string, string>> = {
  CDP_EVENTS_CONCURRENCY: 'a worker takes 2 jobs of events at a time',
  CDP_PROFILE_MAX_GROUPS: 'a profile has 1,000 groups at most',
};

/** The configuration of one process, parsed once at boot. Nothing else reads `process.env`. */
export class Config {
  readonly production: boolean;
  /** Also when NODE_ENV is not set. */
  readonly development: boolean;
  readonly http: Sections['http'];
  readonly metrics: Sections['metrics'];
  readonly log: Sections['log'];
  readonly shutdown: Sections['shutdown'];
  readonly database: Sections['database'];
  readonly queue: Sections['queue'];
  readonly tokens: Sections['tokens'];
  readonly login: Sections['login'];
  readonly management: Sections['management'];
  readonly connectors: Sections['connectors'];
  readonly intake: Sections['intake'];
  readonly events: Sections['events'];
  readonly profiles: Sections['profiles'];
  readonly segments: Sections['segments'];
  readonly delivery: Sections['delivery'];

  private constructor(
    /** The variables by their names, for this folder. The rest of the service reads the sections. */
    readonly env: Environment,
    /** Names that are set and were read by earlier versions only, with what to know about them. */
    readonly removedVariables: readonly string[],
    /** Whether boot started the database itself. */
    readonly embeddedDatabase: boolean = false,
  ) {
    this.production = env.NODE_ENV === 'production';
    this.development = env.NODE_ENV === 'development';
    const sections = sectionsOf(env);
    this.http = sections.http;
    this.metrics = sections.metrics;
    this.log = sections.log;
    this.shutdown = sections.shutdown;
    this.database = sections.database;
    this.queue = sections.queue;
    this.tokens = sections.tokens;
    this.login = sections.login;
    this.management = sections.management;
    this.connectors = sections.connectors;
    this.intake = sections.intake;
    this.events = sections.events;
    this.profiles = sections.profiles;
    this.segments = sections.segments;
    this.delivery = sections.delivery;
  }

  /**
   * The configuration of this process: its environment, and a file `.env` in the current folder for what is
   * not set there.
   * @throws InvalidConfigError with one line per variable that is wrong.
   */
  static ofProcess(): Config {
    if (existsSync('.env')) process.loadEnvFile('.env');
    return Config.from(process.env);
  }

  /** @throws InvalidConfigError with one line per variable that is wrong. */
  static from(variables: Readonly<Record<string, string | undefined>>): Config {
    const present = Object.entries(variables).filter(
      ([name, value]) => value !== undefined && (value !== '' || name === 'CDP_EGRESS_ALLOW'),
    );
    const given = Object.fromEntries(present);
    const { NODE_ENV = 'development' } = given;
    const defaults = NODE_ENV === 'development' ? DEVELOPMENT_DEFAULTS : {};
    const parsed = environment.safeParse({ ...defaults, ...given });
    if (!parsed.success) {
      const lines = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
      throw new InvalidConfigError(`The configuration is not valid.\n  ${lines.join('\n  ')}`);
    }
    return new Config(parsed.data, removedAmong(given));
  }

  /** A copy with the secrets that boot has made; undefined keeps what was given. */
  withSecrets({ encryptionKey, jwtSecret }: MadeSecrets): Config {
    const { CDP_ENCRYPTION_KEY = encryptionKey, CDP_JWT_SECRET = jwtSecret } = this.env;
    const env = { ...this.env, CDP_ENCRYPTION_KEY, CDP_JWT_SECRET };
    return new Config(env, this.removedVariables, this.embeddedDatabase);
  }

  withEmbeddedDatabase(url: string): Config {
    return new Config({ ...this.env, CDP_DATABASE_URL: url }, this.removedVariables, true);
  }

  /**
   * Whether PostgreSQL is started in the data folder. Only at a desk without being asked: in production a forgotten
   * address would be an empty database in a container that is thrown away.
   */
  get mayEmbedDatabase(): boolean {
    return this.env.CDP_DATABASE_EMBEDDED ?? !this.production;
  }

  /** How many processes share the work of one start. */
  get processes(): number {
    const { CDP_PROCESSES } = this.env;
    return CDP_PROCESSES === 'auto' ? availableParallelism() : CDP_PROCESSES;
  }

  /** What this process does, each once. */
  get roles(): readonly Role[] {
    return [...new Set(this.env.CDP_ROLES)];
  }

  hasRole(role: Role): boolean {
    return this.env.CDP_ROLES.includes(role);
  }

  /** Whether this process knows destinations and opens secrets: with any role but `events`. */
  get knowsDestinations(): boolean {
    return this.hasRole('management') || this.hasRole('worker');
  }

  /** Whether each request, event and delivery is logged with its ids. Such a line is made only when it is written. */
  get logsEverything(): boolean {
    return this.env.CDP_LOG_LEVEL === 'debug' || this.env.CDP_LOG_LEVEL === 'trace';
  }

  /** Whether spans have somewhere to go. */
  get tracingEnabled(): boolean {
    const { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT } = this.env;
    const endpoint = OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? OTEL_EXPORTER_OTLP_ENDPOINT;
    return endpoint !== undefined && this.env.OTEL_TRACES_EXPORTER === 'otlp' && !this.env.OTEL_SDK_DISABLED;
  }

  /** The address of PostgreSQL; boot has filled it in when the database is embedded. */
  get databaseUrl(): string {
    return required(this.env.CDP_DATABASE_URL, 'CDP_DATABASE_URL');
  }

  /** PostgreSQL itself, past any pooler in transaction mode: for migrations and a queue on PostgreSQL. */
  get directDatabaseUrl(): string {
    return this.env.CDP_DATABASE_DIRECT_URL ?? this.databaseUrl;
  }

  /** Where what one start keeps lies: the embedded database, the secrets of development. */
  get dataDir(): string {
    return this.env.CDP_DATA_DIR;
  }

  get hasEncryptionKey(): boolean {
    return this.env.CDP_ENCRYPTION_KEY !== undefined;
  }

  get encryptionKey(): string {
    return required(this.env.CDP_ENCRYPTION_KEY, 'CDP_ENCRYPTION_KEY');
  }
}

function removedAmong(given: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(REMOVED_VARIABLES).flatMap(([name, instead]) =>
    given[name] === undefined ? [] : [`${name} is set, but this version does not read it: ${instead}.`],
  );
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new InvalidConfigError(`${name}: is required here`);
  return value;
}

function mustBeRedisAddress(text: string, context: z.RefinementCtx<string>): void {
  try {
    parseRedisAddress(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
}
