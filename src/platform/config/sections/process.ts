import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { flag, list, number, positiveInt, type Read, SECOND_MS } from './values';

/** The rest is for their outcomes, and for what is cut off. */
const TRIES_SHARE_OF_GRACE = 0.6;
/** The number of proxies in front of the service, or their addresses. */
const proxies = z.union([
  number.int().min(0).max(16),
  list.refine(
    (addresses) => addresses.every((address) => ipaddr.isValid(address) || ipaddr.isValidCIDR(address)),
    'must be a number of proxies, or their addresses such as 10.0.0.0/8',
  ),
]);
const port = number.int().min(0).max(65_535);

export const ROLES = ['management', 'events', 'worker'] as const;
const MAX_PROCESSES = 256;

export const processVariables = {
  NODE_ENV: z.enum(['production', 'development', 'test']).default('development'),
  HOST: z.string().optional(),
  PORT: port.default(3000),
  CDP_METRICS_PORT: port.optional(),
  CDP_ROLES: list
    .pipe(
      z
        .array(z.enum(ROLES, { error: ({ input }) => `${String(input)} is none of ${ROLES.join(', ')}` }))
        .min(1),
    )
    .default([...ROLES]),
  CDP_PROCESSES: z
    .union(
      [z.literal('auto'), positiveInt.max(MAX_PROCESSES)],
      `must be auto or a whole number from 1 to ${MAX_PROCESSES}`,
    )
    .default(1),
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
  CDP_SHUTDOWN_DRAIN_SECONDS: number.int().min(0).optional(),
};

/** The process itself: its listener, its log, its end. */
export function processSections(env: Read<typeof processVariables>) {
  const production = env.NODE_ENV === 'production';
  return {
    http: {
      /** Address and port of the listener. */
      host: env.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
      port: env.PORT,
      requestTimeoutMs: env.CDP_REQUEST_TIMEOUT_SECONDS * SECOND_MS,
      /** Proxies that are believed: how many, or their addresses. */
      trustProxy: env.CDP_TRUST_PROXY,
    },
    metrics: {
      /** The port of `/metrics` alone; undefined: it is on the port of the service. */
      port: env.CDP_METRICS_PORT,
    },
    log: { level: env.CDP_LOG_LEVEL, format: env.CDP_LOG_FORMAT ?? (production ? 'json' : 'text') },
    shutdown: {
      /** How long a stopping process still takes requests. In development it stops at once. */
      drainMs: (env.CDP_SHUTDOWN_DRAIN_SECONDS ?? (production ? 5 : 0)) * SECOND_MS,
      /** How long requests and jobs may take after that. */
      graceMs: env.CDP_SHUTDOWN_GRACE_SECONDS * SECOND_MS,
      /** How long of that tries under way may take; one that is cut off is made again. */
      triesMs: env.CDP_SHUTDOWN_GRACE_SECONDS * SECOND_MS * TRIES_SHARE_OF_GRACE,
    },
  };
}
