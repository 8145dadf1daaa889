import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { parseUrl } from '../../http/input/parse-url';
import { list, number, positiveInt, type Read, SECOND_MS } from './values';

const HOUR_MS = 60 * 60 * SECOND_MS;

export const deliveryVariables = {
  CDP_EGRESS_ALLOW: list
    .refine((cidrs) => cidrs.every((cidr) => ipaddr.isValidCIDR(cidr)), 'must be CIDRs such as 10.0.0.0/8')
    .optional(),
  CDP_EGRESS_PROXY: z
    .string()
    .refine(isProxyUrl, 'must be an address such as http://user:password@proxy.example.com:3128')
    .optional(),
  CDP_EGRESS_PROXY_BYPASS: list
    .refine(
      (entries) => entries.every(isBypass),
      'must be names (example.com), the names below one (.example.com) and CIDRs (10.0.0.0/8)',
    )
    .default([]),
  CDP_CONNECTORS: list.default([]),
  CDP_DELIVERY_TIMEOUT_MS: positiveInt.default(15_000),
  CDP_DELIVERY_MAX_ATTEMPTS: positiveInt.max(1_000).default(19),
  CDP_DELIVERY_BACKOFF_MS: positiveInt.default(2_000),
  CDP_DELIVERY_BACKOFF_CAP_MS: positiveInt.default(6 * HOUR_MS),
  CDP_DELIVERY_MAX_AGE_HOURS: number.positive().default(72),
  CDP_DELIVERY_CONCURRENCY: positiveInt.default(32),
  CDP_DELIVERY_GRACE_MS: positiveInt.default(30_000),
  CDP_DELIVERY_RETENTION_DAYS: positiveInt.default(30),
  CDP_BREAKER_FAILURES: positiveInt.default(20),
};

function isProxyUrl(text: string): boolean {
  const url = parseUrl(text);
  if (url === undefined) return false;
  const { protocol, username, password, pathname, search, hash } = url;
  if (!isEncoded(username) || !isEncoded(password)) return false;
  return /^https?:$/.test(protocol) && pathname === '/' && search === '' && hash === '';
}

function isEncoded(text: string): boolean {
  try {
    return decodeURIComponent(text).length >= 0;
  } catch {
    return false;
  }
}

function isBypass(entry: string): boolean {
  if (entry.includes('/')) return ipaddr.isValidCIDR(entry);
  return /^\.?[\w-]+(\.[\w-]+)*$/.test(entry) || ipaddr.isValid(entry);
}

/**
 * A developer waits for the retry of a receiver that is being written. So retries come after 0.5 s, 1 s, 2 s, 4 s, 8 s
 * and then every 15 s, for four hours.
 */
export const DEVELOPMENT_DEFAULTS = {
  CDP_DELIVERY_MAX_ATTEMPTS: '1000',
  CDP_DELIVERY_BACKOFF_MS: '500',
  CDP_DELIVERY_BACKOFF_CAP_MS: '15000',
};

/** How events leave. */
export function deliverySections(env: Read<typeof deliveryVariables>) {
  return {
    connectors: {
      /** Packages or files that are loaded. */
      specifiers: env.CDP_CONNECTORS,
      /** Private networks that may be reached, as CIDRs; undefined: what is usual where the service runs. */
      egressAllow: env.CDP_EGRESS_ALLOW,
      egressProxy: {
        url: env.CDP_EGRESS_PROXY === undefined ? undefined : new URL(env.CDP_EGRESS_PROXY),
        /** What is reached without it: names, `.example.com` for all names below one, CIDRs. */
        bypass: env.CDP_EGRESS_PROXY_BYPASS,
      },
    },
    delivery: {
      timeoutMs: env.CDP_DELIVERY_TIMEOUT_MS,
      maxAttempts: env.CDP_DELIVERY_MAX_ATTEMPTS,
      /** The pauses between tries grow from the first to the longest. */
      backoff: { firstWaitMs: env.CDP_DELIVERY_BACKOFF_MS, maxWaitMs: env.CDP_DELIVERY_BACKOFF_CAP_MS },
      /** A delivery that is older is given up. */
      maxAgeMs: env.CDP_DELIVERY_MAX_AGE_HOURS * HOUR_MS,
      /** Tries under way to one destination, per process. */
      concurrency: env.CDP_DELIVERY_CONCURRENCY,
      /** How much later than its job a delivery is due for the sweeper. */
      graceMs: env.CDP_DELIVERY_GRACE_MS,
      retentionDays: env.CDP_DELIVERY_RETENTION_DAYS,
      /** Failures in a row after which a destination is left alone for a while. */
      breakerFailures: env.CDP_BREAKER_FAILURES,
    },
  };
}
