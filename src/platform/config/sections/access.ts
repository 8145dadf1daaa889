import { z } from 'zod';
import { mustBeStrongKey, mustBeStrongKeys } from '../strong-keys';
import { flag, number, type Read } from './values';

const httpUrl = z.url({ protocol: /^https?$/ });

export const accessVariables = {
  CDP_JWT_JWKS_URL: httpUrl.optional(),
  CDP_JWT_ISSUER: z.string().optional(),
  CDP_JWT_AUDIENCE: z.string().optional(),
  CDP_JWT_SECRET: z.string().superRefine(mustBeStrongKey).optional(),
  CDP_JWT_SCOPE_CLAIM: z.string().default('scope'),
  CDP_AUTH_ANY_TOKEN: flag.optional(),
  CDP_BOOTSTRAP_TOKENS: flag.optional(),
  CDP_MANAGEMENT_REQUESTS_PER_MINUTE: number.int().min(0).default(6_000),
  CDP_OIDC_CLIENT_ID: z.string().optional(),
  CDP_OIDC_CLIENT_SECRET: z.string().optional(),
  CDP_OIDC_SCOPE: z.string().default('openid'),
  CDP_PUBLIC_URL: httpUrl.optional(),
  CDP_SWAGGER_ENABLED: flag.default(true),
  CDP_ENCRYPTION_KEY: z.string().superRefine(mustBeStrongKeys).optional(),
};

/** Who may use the Management API, and what of it there is. */
export function accessSections(env: Read<typeof accessVariables>, production: boolean) {
  return {
    /** Which bearer tokens the Management API takes. */
    tokens: {
      jwksUrl: env.CDP_JWT_JWKS_URL,
      issuer: env.CDP_JWT_ISSUER,
      audience: env.CDP_JWT_AUDIENCE,
      /** The secret of HS256, for development. */
      secret: env.CDP_JWT_SECRET,
      scopeClaim: env.CDP_JWT_SCOPE_CLAIM,
      /** Whether a valid token may do everything whatever its scopes, by default outside production. */
      anyIsEnough: env.CDP_AUTH_ANY_TOKEN ?? !production,
      /** Whether those of `cdp token --bootstrap` are taken. */
      takesBootstrap: env.CDP_BOOTSTRAP_TOKENS ?? true,
      /** Whether production starts without an identity provider: when bootstrap tokens were asked for. */
      needNoProvider: env.CDP_BOOTSTRAP_TOKENS === true,
    },
    /** The login of a browser at the identity provider. */
    login: {
      clientId: env.CDP_OIDC_CLIENT_ID,
      clientSecret: env.CDP_OIDC_CLIENT_SECRET,
      scope: env.CDP_OIDC_SCOPE,
    },
    management: {
      requestsPerMinute: env.CDP_MANAGEMENT_REQUESTS_PER_MINUTE,
      hasSwagger: env.CDP_SWAGGER_ENABLED,
      /** The address under which people reach the service. */
      publicUrl: env.CDP_PUBLIC_URL,
    },
  };
}
