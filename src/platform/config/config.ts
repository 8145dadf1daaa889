import { availableParallelism } from 'node:os';
import { inSchema } from '../database/connections/schema';
import { InvalidConfigError } from './invalid-config-error';
import { loadEnvFile } from './load-env-file';
import { accessSections } from './sections/access';
import { deliverySections, DEVELOPMENT_DEFAULTS } from './sections/delivery';
import { eventSections } from './sections/events';
import { processSections, ROLES } from './sections/process';
import { profileSections } from './sections/profiles';
import { storeSections } from './sections/store';
import { unknownAmong } from './unknown-variables';
import { type Environment, environment } from './variables';

export type Role = (typeof ROLES)[number];

/** What boot makes up outside production. */
interface MadeSecrets {
  readonly encryptionKey: string | undefined;
  readonly jwtSecret: string | undefined;
}

/** The configuration by subject: the rest of the service reads `config.delivery.maxAttempts`. */
function sectionsOf(env: Environment) {
  return {
    ...processSections(env),
    ...storeSections(env),
    ...accessSections(env, env.NODE_ENV === 'production'),
    ...eventSections(env),
    ...profileSections(env),
    ...deliverySections(env),
  };
}

type Sections = ReturnType<typeof sectionsOf>;

/** The configuration of one process, parsed once at boot. Nothing else reads `process.env`. */
export class Config {
  readonly production: boolean;
  /** Also when NODE_ENV is not set. */
  readonly development: boolean;
  readonly http: Readonly<Sections['http']>;
  readonly metrics: Readonly<Sections['metrics']>;
  readonly log: Readonly<Sections['log']>;
  readonly shutdown: Readonly<Sections['shutdown']>;
  readonly database: Readonly<Sections['database']>;
  readonly queue: Readonly<Sections['queue']>;
  readonly tokens: Readonly<Sections['tokens']>;
  readonly login: Readonly<Sections['login']>;
  readonly management: Readonly<Sections['management']>;
  readonly connectors: Readonly<Sections['connectors']>;
  readonly intake: Readonly<Sections['intake']>;
  readonly events: Readonly<Sections['events']>;
  readonly profiles: Readonly<Sections['profiles']>;
  readonly delivery: Readonly<Sections['delivery']>;

  private constructor(
    /** The variables by their names, for this folder. The rest of the service reads the sections. */
    readonly env: Environment,
    /** A sentence for each name that is set and not read, as when it is mistyped. */
    readonly unreadVariables: readonly string[],
    /** Whether boot started the database itself. */
    readonly embeddedDatabase: boolean = false,
  ) {
    this.production = env.NODE_ENV === 'production';
    this.development = env.NODE_ENV === 'development';
    ({
      http: this.http,
      metrics: this.metrics,
      log: this.log,
      shutdown: this.shutdown,
      database: this.database,
      queue: this.queue,
      tokens: this.tokens,
      login: this.login,
      management: this.management,
      connectors: this.connectors,
      intake: this.intake,
      events: this.events,
      profiles: this.profiles,
      delivery: this.delivery,
    } = sectionsOf(env));
  }

  /**
   * The configuration of this process: its environment, and a file `.env` in the current folder for what is
   * not set there.
   * @throws InvalidConfigError with one line per variable that is wrong.
   */
  static ofProcess(): Config {
    loadEnvFile();
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
      const wrong = parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
      const lines = [...wrong, ...unknownAmong(given)];
      throw new InvalidConfigError(`The configuration is not valid.\n  ${lines.join('\n  ')}`);
    }
    return new Config(parsed.data, unknownAmong(given));
  }

  /** A copy with the secrets that boot has made; undefined keeps what was given. */
  withSecrets({ encryptionKey, jwtSecret }: MadeSecrets): Config {
    const { CDP_ENCRYPTION_KEY = encryptionKey, CDP_JWT_SECRET = jwtSecret } = this.env;
    const env = { ...this.env, CDP_ENCRYPTION_KEY, CDP_JWT_SECRET };
    return new Config(env, this.unreadVariables, this.embeddedDatabase);
  }

  withEmbeddedDatabase(url: string): Config {
    return new Config({ ...this.env, CDP_DATABASE_URL: url }, this.unreadVariables, true);
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

  get hasAllRoles(): boolean {
    return ROLES.every((role) => this.hasRole(role));
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

  /** The address of PostgreSQL and of our schema there; boot has filled it in when the database is embedded. */
  get databaseUrl(): string {
    return inSchema(required(this.env.CDP_DATABASE_URL, 'CDP_DATABASE_URL'), this.database.schema);
  }

  /** PostgreSQL itself, past any pooler in transaction mode: for locks of a session and a queue on PostgreSQL. */
  get directDatabaseUrl(): string {
    const { CDP_DATABASE_DIRECT_URL: directUrl } = this.env;
    return directUrl === undefined ? this.databaseUrl : inSchema(directUrl, this.database.schema);
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

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new InvalidConfigError(`${name}: is required here`);
  return value;
}
