import { problem } from '../http/problems/problem';
import type { Scope } from './principal';

/** There is no token, or it is not valid. The reason is not told: it would help an attacker only. */
export class UnauthorizedError extends problem(
  401,
  'unauthorized',
  'The credential is missing or not valid.',
) {
  override readonly headers: Readonly<Record<string, string>>;

  constructor(tokenPresent: boolean) {
    super(
      tokenPresent
        ? 'The bearer token is not valid.'
        : 'A bearer token is needed: Authorization: Bearer <token>.',
    );
    const error = tokenPresent ? ', error="invalid_token"' : '';
    this.headers = { 'www-authenticate': `Bearer realm="cdp"${error}` };
  }
}

/** The token is valid but may not do this. */
export class MissingScopeError extends problem(
  403,
  'missing_scope',
  'The token lacks the scope this operation needs.',
) {
  override readonly headers: Readonly<Record<string, string>>;

  constructor(scope: Scope) {
    super(`The token needs the scope ${scope}.`);
    this.headers = {
      'www-authenticate': `Bearer realm="cdp", error="insufficient_scope", scope="${scope}"`,
    };
  }
}
