import { z } from 'zod';
import { DEFAULT_SCHEMA, inSchema, problemOfSchema } from '../../database/connections/schema';
import { parseRedisAddress } from '../../queues/redis-address';
import { flag, positiveInt, type Read } from './values';

export const DEFAULT_DATA_DIR = '.data';

const postgresUrl = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be an address that begins with postgres:// or postgresql://',
});

export const storeVariables = {
  CDP_DATA_DIR: z.string().default(DEFAULT_DATA_DIR),
  CDP_DATABASE_URL: postgresUrl.optional(),
  CDP_DATABASE_EMBEDDED: flag.optional(),
  CDP_DATABASE_DIRECT_URL: postgresUrl.optional(),
  CDP_DATABASE_REPLICA_URL: postgresUrl.optional(),
  CDP_DATABASE_SCHEMA: z.string().superRefine(mustBeSchema).default(DEFAULT_SCHEMA),
  CDP_DATABASE_PREPARED_STATEMENTS: flag.default(true),
  CDP_DATABASE_POOL_SIZE: positiveInt.default(12),
  CDP_REDIS_URL: z.string().superRefine(mustBeRedisAddress).optional(),
};

/** Where everything is kept, and the queue. */
export function storeSections(env: Read<typeof storeVariables>) {
  const { CDP_DATABASE_REPLICA_URL: replicaUrl, CDP_DATABASE_SCHEMA: schema } = env;
  return {
    database: {
      /** Whether an address is known: given, or that of the embedded one. */
      isGiven: env.CDP_DATABASE_URL !== undefined,
      /** Whether none is to be started here either, by what was said. */
      isNeverEmbedded: env.CDP_DATABASE_EMBEDDED === false,
      /** Where all tables of this service are: several services may share a database. */
      schema,
      replicaUrl: replicaUrl === undefined ? undefined : inSchema(replicaUrl, schema),
      preparedStatements: env.CDP_DATABASE_PREPARED_STATEMENTS,
      poolSize: env.CDP_DATABASE_POOL_SIZE,
    },
    queue: {
      /** Undefined: the queue is in PostgreSQL. */
      redisUrl: env.CDP_REDIS_URL,
    },
  };
}

function mustBeSchema(name: string, context: z.RefinementCtx<string>): void {
  const message = problemOfSchema(name);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
}

function mustBeRedisAddress(text: string, context: z.RefinementCtx<string>): void {
  try {
    parseRedisAddress(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
  }
}
