import { z } from 'zod';
import { accessVariables } from './sections/access';
import { deliveryVariables } from './sections/delivery';
import { eventVariables } from './sections/events';
import { processVariables } from './sections/process';
import { profileVariables } from './sections/profiles';
import { storeVariables } from './sections/store';

/**
 * Every environment variable of the service: name, type and default. `.env.example` lists the same names.
 * An empty value counts as not set, except where the empty value has a meaning of its own (CDP_EGRESS_ALLOW).
 */
const variables = z.object({
  ...processVariables,
  ...storeVariables,
  ...accessVariables,
  ...eventVariables,
  ...profileVariables,
  ...deliveryVariables,
});

export type Environment = z.infer<typeof variables>;

export const VARIABLE_NAMES: readonly string[] = Object.keys(variables.shape);

const HOURS_A_DAY = 24;
/** Addresses that decide who may do what: over plain HTTP a stranger on the way could answer in their place. */
const TRUSTED_ADDRESSES = ['CDP_JWT_JWKS_URL', 'CDP_JWT_ISSUER'] as const;

/** The variables, and what has to hold between them. */
export const environment = variables
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
  .superRefine((env, context) => {
    if (env.NODE_ENV !== 'production') return;
    for (const name of TRUSTED_ADDRESSES) {
      if (!/^http:/i.test(env[name]?.trim() ?? '')) continue;
      context.addIssue({ code: 'custom', path: [name], message: 'must be an https: address in production' });
    }
  });
