import { createHash } from 'node:crypto';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { AuthenticatedRequest } from '../auth/jwt-auth.guard';
import { identityKey } from '../auth/principal';
import { scopeOfRoute } from '../auth/scope-of-route';
import { Database } from '../database/database';
import { InvalidRequestError } from '../http/problems/problem';
import { SecretBox } from '../secrets/secret-box';
import { ANSWERS_ABOUT_PEOPLE } from './answers-about-people.decorator';
import { IdempotencyKeyBusyError, IdempotencyKeyReusedError } from './idempotency-problems';
import { claimKey, keepAnswer, type KeyClaim, prolongClaim, readKey, releaseKey } from './key-claims';

const MAX_KEY_LENGTH = 255;

/** Some of these may fail before the key is free for others. */
const RENEWAL_MS = 10_000;

/**
 * A POST with an `Idempotency-Key` is carried out once: a repetition gets the answer of the first. Only successes
 * are kept; after an error the key is free. Answers are sealed, since the answer to a create has secrets.
 *
 * A POST that only reads (scope `cdp:read`), or answers about people (`@AnswersAboutPeople`), is carried out each
 * time: its answer would be kept beyond their erasure.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly logger = new Logger(IdempotencyInterceptor.name);

  constructor(
    private readonly database: Database,
    private readonly secretBox: SecretBox,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || key === undefined || scopeOfRoute(request) === 'cdp:read')
      return next.handle();
    if (this.reflector.get<boolean | undefined>(ANSWERS_ABOUT_PEOPLE, context.getHandler()) === true)
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
    const claim = await claimKey(keyHash, bodyHash, this.database);
    if (claim === undefined) return this.repeat(keyHash, bodyHash, reply);
    const renewal = setInterval(() => void this.prolong(claim), RENEWAL_MS);
    try {
      const body = await this.carryOut(claim, next);
      await this.keep(claim, body);
      return body;
    } finally {
      clearInterval(renewal);
    }
  }

  private async carryOut(claim: KeyClaim, next: CallHandler): Promise<unknown> {
    try {
      return await lastValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      await releaseKey(claim, this.database);
      throw error;
    }
  }

  private async keep(claim: KeyClaim, body: unknown): Promise<void> {
    try {
      await keepAnswer(claim, this.secretBox.seal(JSON.stringify(body ?? null)), this.database);
    } catch (error) {
      // May stop here: it is done, and whoever heard otherwise would have it done again.
      this.logger.warn(`The answer to an Idempotency-Key is not kept: ${String(error)}`);
    }
  }

  private async prolong(claim: KeyClaim): Promise<void> {
    try {
      await prolongClaim(claim, this.database);
    } catch (error) {
      // May stop here: the next one follows.
      this.logger.warn(`An Idempotency-Key was not prolonged: ${String(error)}`);
    }
  }

  private async repeat(keyHash: Buffer, bodyHash: Buffer, reply: FastifyReply): Promise<unknown> {
    const kept = await readKey(keyHash, this.database);
    if (kept === undefined || kept.answer_sealed === null) throw new IdempotencyKeyBusyError();
    if (!kept.body_hash.equals(bodyHash)) throw new IdempotencyKeyReusedError();
    void reply.header('idempotent-replayed', 'true');
    return JSON.parse(this.secretBox.open(kept.answer_sealed)) as unknown;
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
