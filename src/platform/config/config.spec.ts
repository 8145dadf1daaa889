import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Config } from './config';
import { InvalidConfigError } from './invalid-config-error';
import { VARIABLE_NAMES } from './variables';

const example = [
  ...readFileSync(join(__dirname, '../../../.env.example'), 'utf8').matchAll(/^#?([A-Z][A-Z_]+)=(.*)$/gm),
].map(([, name, value]) => [name, value] as const);

describe('.env.example', () => {
  it('lists every variable of the service once, and no other', () => {
    const listed = example.map(([name]) => name);
    expect(new Set(listed)).toEqual(new Set(VARIABLE_NAMES));
    expect(listed).toHaveLength(VARIABLE_NAMES.length);
  });

  it('shows the defaults of the service', () => {
    const shown = Object.fromEntries(example.filter(([, value]) => value !== ''));
    const { CDP_EGRESS_ALLOW: shownAllowance, ...rest } = Config.from(shown).env;
    expect(rest).toEqual(Config.from({}).env);
    expect(shownAllowance).toEqual(['127.0.0.0/8', '::1/128']);
  });
});

describe('Config', () => {
  it('counts an empty variable as not set, except where it has a meaning of its own', () => {
    const { env } = Config.from({ PORT: '', CDP_EGRESS_ALLOW: '' });
    expect(env.PORT).toBe(3000);
    expect(env.CDP_EGRESS_ALLOW).toEqual([]);
  });

  it('names every variable that is wrong', () => {
    const refused = (): Config => Config.from({ PORT: 'http', CDP_ROLES: 'worker,boss' });
    expect(refused).toThrow(InvalidConfigError);
    expect(refused).toThrow(/PORT: .*\n.*CDP_ROLES/);
  });

  it.each([
    [
      { CDP_MAX_EVENT_BYTES: '2000', CDP_MAX_BATCH_BYTES: '1000' },
      /CDP_MAX_EVENT_BYTES: .*CDP_MAX_BATCH_BYTES/,
    ],
    [{ CDP_MAX_BATCH_EVENTS: '-1' }, /CDP_MAX_BATCH_EVENTS/],
    [{ CDP_MAX_BATCH_EVENTS: 'many' }, /CDP_MAX_BATCH_EVENTS/],
    [{ CDP_MAX_EVENT_BYTES: '0' }, /CDP_MAX_EVENT_BYTES/],
    [{ CDP_DATABASE_SCHEMA: 'Shop-EU' }, /CDP_DATABASE_SCHEMA: must be a letter/],
    [{ CDP_DATABASE_SCHEMA: 'bullmq_a' }, /CDP_DATABASE_SCHEMA: is a name/],
    [{ CDP_MAX_EVENT_BYTES: '16777217' }, /CDP_MAX_EVENT_BYTES/],
    [{ CDP_DELIVERY_RETENTION_DAYS: '1' }, /CDP_DELIVERY_RETENTION_DAYS: .*CDP_DELIVERY_MAX_AGE_HOURS/],
    [
      { CDP_EVENT_RETENTION_DAYS: '7', CDP_DELIVERY_MAX_AGE_HOURS: '169' },
      /CDP_EVENT_RETENTION_DAYS: .*CDP_DELIVERY_MAX_AGE_HOURS/,
    ],
  ])('refuses the limits %j', (variables, message) => {
    expect(() => Config.from(variables)).toThrow(message);
  });

  it.each<[Record<string, string>, RegExp]>([
    [{ PORT: '3000', CDP_METRICS_PORT: '3000' }, /CDP_METRICS_PORT: must be another/],
    [{ PORT: 'abc' }, /PORT: must be a number$/],
    [{ PORT: '70000' }, /PORT: .*65535$/],
    [{ PORT: '3000.5' }, /PORT: .*int/],
    [{ CDP_PROCESSES: 'many' }, /CDP_PROCESSES: must be auto or a whole number from 1 to 256$/],
    [{ CDP_PROCESSES: '300' }, /CDP_PROCESSES: .*256/],
    [{ CDP_ROLES: 'worker,foo' }, /CDP_ROLES: foo is none of management, events, worker$/],
    [{ CDP_DATABASE_URL: 'mysql://x@y/z' }, /CDP_DATABASE_URL: .*begins with postgres:\/\/ or postgresql:/],
    [{ NODE_ENV: 'prod' }, /NODE_ENV: .*"production"\|"development"\|"test"/],
    [{ NODE_ENV: 'staging' }, /NODE_ENV: /],
    [{ NODE_ENV: 'Production' }, /NODE_ENV: /],
    [{ CDP_ENCRYPTION_KEY: 'x' }, /CDP_ENCRYPTION_KEY: must have 16 characters/],
    [{ CDP_ENCRYPTION_KEY: 'a'.repeat(40) }, /CDP_ENCRYPTION_KEY: .*8 of them different/],
    [{ CDP_ENCRYPTION_KEY: 'x,an-old-key-of-some-length' }, /CDP_ENCRYPTION_KEY: key 1 of the list/],
    [{ CDP_ENCRYPTION_KEY: 'a-new-key-of-some-length, x' }, /CDP_ENCRYPTION_KEY: key 2 of the list/],
    [{ CDP_JWT_SECRET: 'j'.repeat(40) }, /CDP_JWT_SECRET: .*8 of them different/],
    [{ CDP_ENCRYPTION_KEY: ',' }, /CDP_ENCRYPTION_KEY: holds no key/],
    [{ CDP_JWT_JWKS_URL: 'file:///etc/jwks.json' }, /CDP_JWT_JWKS_URL/],
    [{ NODE_ENV: 'production', CDP_JWT_JWKS_URL: 'http://login.example/keys' }, /CDP_JWT_JWKS_URL: .*https/],
    [{ NODE_ENV: 'production', CDP_JWT_JWKS_URL: 'file:///etc/jwks.json' }, /CDP_JWT_JWKS_URL/],
    [{ NODE_ENV: 'production', CDP_JWT_ISSUER: 'http://login.example/' }, /CDP_JWT_ISSUER: .*https/],
    [{ NODE_ENV: 'production', CDP_JWT_ISSUER: 'HTTP://login.example/' }, /CDP_JWT_ISSUER: .*https/],
  ])('refuses %j', (variables, message) => {
    expect(() => Config.from(variables)).toThrow(message);
  });

  it('takes at a desk what production does not', () => {
    const issuer = 'http://127.0.0.1:8080/realms/cdp';
    const { env } = Config.from({ CDP_JWT_ISSUER: issuer, CDP_JWT_JWKS_URL: `${issuer}/certs` });
    expect(env.CDP_JWT_ISSUER).toBe(issuer);
  });

  it.each([
    [{}, true],
    [{ CDP_DATABASE_EMBEDDED: 'false' }, false],
    [{ NODE_ENV: 'production' }, false],
    [{ NODE_ENV: 'production', CDP_DATABASE_EMBEDDED: 'true' }, true],
  ])('with %j says whether PostgreSQL may be embedded: %p', (variables, expected) => {
    expect(Config.from(variables).mayEmbedDatabase).toBe(expected);
  });

  it('says which variables there are not, and leaves those of others alone', () => {
    const ofOthers = {
      CDP_URL: 'https://cdp.example.com',
      CDP_TOKEN: 'token',
      CDP_TEST_REDIS_URL: 'redis://127.0.0.1',
      CDP_WORKER_PORT: 'tcp://10.0.0.1:3000',
      CDP_WORKER_PORT_3000_TCP_ADDR: '10.0.0.1',
      CDP_WORKER_SERVICE_HOST: '10.0.0.1',
    };
    expect(Config.from({ ...ofOthers, CDP_SWAGER_ENABLED: 'false' }).unreadVariables).toEqual([
      'CDP_SWAGER_ENABLED is set, but there is no such variable: .env.example lists all.',
    ]);
    expect(() => Config.from({ CDP_SWAGER_ENABLED: 'false', PORT: 'none' })).toThrow(
      /PORT: must be a number\n +CDP_SWAGER_ENABLED is set/,
    );
  });

  it('gives the rest of the service sections, with units in their names', () => {
    const { delivery, http } = Config.from({
      CDP_DELIVERY_MAX_ATTEMPTS: '3',
      CDP_DELIVERY_MAX_AGE_HOURS: '2',
      CDP_DELIVERY_BACKOFF_MS: '7',
      CDP_REQUEST_TIMEOUT_SECONDS: '9',
    });
    expect(delivery).toMatchObject({ maxAttempts: 3, maxAgeMs: 7_200_000, backoff: { firstWaitMs: 7 } });
    expect(http).toMatchObject({ host: '127.0.0.1', port: 3000, requestTimeoutMs: 9_000 });
  });
});
