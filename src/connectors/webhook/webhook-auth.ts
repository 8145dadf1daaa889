import type { ProblemDetail } from '../../platform/http/problems/problem';
import { MAX_VALUE_LENGTH, mistakeInHeaderName, mistakeInHeaderValue } from './header-rules';

/** How a receiver, or what stands in front of it, wants to be told who sends. */
export type WebhookAuth =
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'bearer'; readonly token: string }
  | { readonly type: 'apiKey'; readonly header: string; readonly value: string }
  | OAuth2ClientCredentials;

/** What a token is asked for with: see `access-tokens.ts`. */
export interface OAuth2ClientCredentials {
  readonly type: 'oauth2ClientCredentials';
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope?: string;
  readonly audience?: string;
}

type Mistake = string | undefined;
type Rule = (value: string) => Mistake;

/** The members of each type, with what is wrong with a value. */
const MEMBERS: {
  readonly [Type in WebhookAuth['type']]: Readonly<
    Record<Exclude<keyof Extract<WebhookAuth, { type: Type }>, 'type'>, Rule>
  >;
} = {
  basic: {
    username: (value) => (value.includes(':') ? 'must not have a colon' : mistakeInCredential(value)),
    password: mistakeInCredential,
  },
  bearer: {
    token: (value) => (isBearerToken(value) ? undefined : 'must be of ASCII without spaces'),
  },
  apiKey: { header: mistakeInHeaderName, value: mistakeInHeaderValue },
  oauth2ClientCredentials: {
    // What addresses may be asked is for the egress policy to say.
    tokenUrl: mistakeInCredential,
    clientId: mistakeInCredential,
    clientSecret: mistakeInCredential,
    scope: mistakeInCredential,
    audience: mistakeInCredential,
  },
};
const OPTIONAL: ReadonlySet<string> = new Set(['scope', 'audience']);

/** Schemas for the description of the config, one a type. */
export const AUTH_SCHEMAS = Object.entries(MEMBERS).map(([type, members]) => ({
  type: 'object',
  properties: {
    type: { type: 'string', enum: [type] },
    ...Object.fromEntries(
      Object.keys(members).map((name) => [
        name,
        { type: 'string', minLength: 1, maxLength: MAX_VALUE_LENGTH },
      ]),
    ),
  },
  required: ['type', ...Object.keys(members).filter((name) => !OPTIONAL.has(name))],
  additionalProperties: false,
}));

/** What is wrong with the member `auth` of a config. */
export function authProblems(auth: Readonly<Record<string, unknown>>): ProblemDetail[] {
  const { type, ...given } = auth;
  if (!isType(type)) {
    const message = `auth.type must be one of ${Object.keys(MEMBERS).join(', ')}`;
    return [{ path: 'auth.type', code: 'unknown', message }];
  }
  const rules: Readonly<Record<string, Rule>> = MEMBERS[type];
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(rules, name));
  return [
    ...unknown.map((name) => problemAt(name, 'unknown_field', `is not a member of auth of type ${type}`)),
    ...Object.entries(rules).flatMap(([name, mistakeIn]) => {
      if (given[name] === undefined && OPTIONAL.has(name)) return [];
      const mistake = mistakeInText(given[name]) ?? mistakeIn(given[name] as string);
      return mistake === undefined ? [] : [problemAt(name, 'invalid_auth', mistake)];
    }),
  ];
}

/** The header that it is sent in; of a token that is asked for, as people see it. */
export function authHeader(auth: WebhookAuth): [name: string, value: string] {
  switch (auth.type) {
    case 'basic':
      // RFC 7617, with the character set that it recommends.
      return [
        'Authorization',
        `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}`,
      ];
    case 'bearer':
      return ['Authorization', `Bearer ${auth.token}`];
    case 'apiKey':
      return [auth.header, auth.value];
    case 'oauth2ClientCredentials':
      return ['Authorization', 'Bearer ****'];
  }
}

/** Whether a token can be sent in a header. */
export function isBearerToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}

function isType(type: unknown): type is WebhookAuth['type'] {
  return typeof type === 'string' && Object.hasOwn(MEMBERS, type);
}

function mistakeInText(value: unknown): Mistake {
  if (typeof value === 'string' && value !== '' && value.length <= MAX_VALUE_LENGTH) return undefined;
  return `must be a text of 1 to ${MAX_VALUE_LENGTH} characters`;
}

function mistakeInCredential(value: string): Mistake {
  return /[\p{Cc}\p{Cs}]/u.test(value) ? 'must not hold control characters' : undefined;
}

function problemAt(name: string, code: string, message: string): ProblemDetail {
  return { path: `auth.${name}`, code, message: `auth.${name} ${message}` };
}
