import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log';
import { Config } from '../config/config';
import { Database } from '../database/database';
import { DependencyDownError } from '../http/problems/problem';
import { verifyBootstrapToken } from './bootstrap-token';
import { actorOf, type Principal } from './principal';
import { InvalidTokenError } from './refused-token';
import { scopesOf } from './scopes-of';

/** More tokens than an operator makes in an hour. A token that is not in the cache is looked up again. */
const MAX_REMEMBERED = 1_000;
/** The audit asks for the id of a request, and a token has none. */
const NO_REQUEST = '-';

const findUseSql = `select from audit_entry where resource = 'token' and resource_id = $1 limit 1`;

/**
 * Tokens of `cdp token --bootstrap`, for an operator who can read `CDP_ENCRYPTION_KEY` on the server, and has no
 * identity provider yet or is locked out of it. The first use of a token is written to the audit. Without that entry it
 * is refused.
 */
@Injectable()
export class BootstrapTokens {
  private readonly logger = new Logger('Tokens');
  private readonly seen = new Set<string>();

  constructor(
    private readonly config: Config,
    private readonly audit: AuditLog,
    private readonly database: Database,
  ) {}

  /** @throws InvalidTokenError, jose's errors; DependencyDownError when the audit cannot be written. */
  async verify(token: string): Promise<Principal> {
    if (!this.config.tokens.takesBootstrap) {
      throw new InvalidTokenError('type', 'bootstrap tokens are off (CDP_BOOTSTRAP_TOKENS)');
    }
    const claims = await verifyBootstrapToken(token, this.config.encryptionKey);
    const { sub = '', iss = null, jti = '', exp = 0 } = claims;
    const principal: Principal = {
      subject: sub,
      kind: 'subject',
      issuer: iss,
      scopes: scopesOf(claims, 'scope'),
      expiresAt: new Date(exp * 1000),
    };
    if (!this.seen.has(jti)) await this.noteFirstUse(principal, jti);
    return principal;
  }

  private async noteFirstUse(principal: Principal, tokenId: string): Promise<void> {
    try {
      const known = await this.database.query(findUseSql, [tokenId]);
      if (known.length === 0) await this.recordUse(principal, tokenId);
    } catch (error) {
      this.logger.error('The use of a bootstrap token could not be written down', error);
      throw new DependencyDownError('PostgreSQL');
    }
    if (this.seen.size >= MAX_REMEMBERED) this.seen.clear();
    this.seen.add(tokenId);
  }

  private async recordUse(principal: Principal, tokenId: string): Promise<void> {
    const { subject, expiresAt } = principal;
    await this.audit.record(this.database, actorOf(principal, NO_REQUEST), {
      action: 'use_bootstrap_token',
      resource: 'token',
      resourceId: tokenId,
      after: { scopes: [...principal.scopes], expiresAt },
    });
    this.logger.warn('A bootstrap token is used', { subject, expiresAt });
  }
}
