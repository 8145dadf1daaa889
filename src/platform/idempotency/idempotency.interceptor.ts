import { createHash } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { AuthenticatedRequest } from '../auth/jwt-auth.guard';
import { identityKey } from '../auth/principal';
import { scopeOfRoute } from '../auth/scope-of-route';
import { Database } from '../database/database';
import { InvalidRequestError } from '../http/problems/problem';
import { SecretBox } from '../secrets/secret-box';
import { IdempotencyKeyBusyError, IdempotencyKeyReusedError } from './idempotency-problems';

const MAX_KEY_LENGTH = 255;

/** Keys are kept for a day. One whose first request died half-way is free again after a minute. */
const claimKeySql = `
  with forgotten as (
    delete from idempotency_key where created_at < now() - interval '24 hours'
      or (key_hash = $1 and answer_sealed is null and created_at < now() - interval '1 minute')
  )
  insert into idempotency_key (key_hash, body_hash) values ($1, $2)
  on conflict (key_hash) do nothing returning key_hash`;
const readKeySql = 'select body_hash, answer_sealed from idempotency_key where key_hash = $1';
const keepAnswerSql = 'update idempotency_key set answer_sealed = $2 where key_hash = $1';
const releaseKeySql = 'delete from idempotency_key where key_hash = $1 and answer_sealed is null';

interface KeyRow {
  readonly body_hash: Buffer;
  readonly answer_sealed: string | null;
}

/**
 * A POST with an `Idempotency-Key` is carried out once: a repetition gets the answer of the first. Only successes
 * are kept; after an error the key is free. Answers are sealed, since the answer to a create has secrets.
 *
 * A POST that only reads (scope `cdp:read`) is carried out each time: its answer may be about people, and would be kept
 * beyond their erasure.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || key === undefined || scopeOfRoute(request) === 'cdp:read')
      return next.handle();
    if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH) {
      throw new InvalidRequestError([
        { path: 'Idempotency-Key', code: 'length', message: `must have 1 to ${MAX_KEY_LENGTH} characters` },
      ]);
    }
    const keyHash = sha256(JSON.stringify([identityKey(request.user), request.url, key]));
    const bodyHash = sha256(JSON.stringify(request.body ?? null));
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return from(this.once(keyHash, bodyHash, reply, next));
  }

  private async once(
    keyHash: Buffer,
    bodyHash: Buffer,
    reply: FastifyReply,
    next: CallHandler,
  ): Promise<unknown> {
    const claimed = await this.database.query(claimKeySql, [keyHash, bodyHash]);
    if (claimed.length === 0) return this.repeat(keyHash, bodyHash, reply);
    try {
      const body: unknown = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const sealed = this.secretBox.seal(JSON.stringify(body ?? null));
      await this.database.query(keepAnswerSql, [keyHash, sealed]);
      return body;
    } catch (error) {
      await this.database.query(releaseKeySql, [keyHash]);
      throw error;
    }
  }

  private async repeat(keyHash: Buffer, bodyHash: Buffer, reply: FastifyReply): Promise<unknown> {
    const [row] = await this.database.query<KeyRow>(readKeySql, [keyHash]);
    if (row === undefined || row.answer_sealed === null) throw new IdempotencyKeyBusyError();
    if (!row.body_hash.equals(bodyHash)) throw new IdempotencyKeyReusedError();
    void reply.header('idempotent-replayed', 'true');
    return JSON.parse(this.secretBox.open(row.answer_sealed)) as unknown;
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
