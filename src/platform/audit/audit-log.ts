import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../auth/principal';
import type { Tx } from '../database/database';
import type { AuditedChange } from './audited-actions';

/** A change, or a read that is worth an entry. The caller has masked the secrets. */
export type Change = AuditedChange & {
  readonly resourceId: string;
  readonly before?: object;
  readonly after?: object;
};

const insertEntrySql = `
  insert into audit_entry (id, actor, actor_kind, actor_issuer, request_id, action, resource, resource_id, before, after)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

/** Writes down every change, in the transaction that makes it: there is no change without its entry. */
@Injectable()
export class AuditLog {
  async record(tx: Tx, actor: Actor, change: Change): Promise<void> {
    const { action, resource, resourceId, before, after } = change;
    await tx.query(insertEntrySql, [
      uuidv7(),
      actor.subject,
      actor.kind,
      actor.issuer,
      actor.requestId,
      action,
      resource,
      resourceId,
      before === undefined ? null : JSON.stringify(before),
      after === undefined ? null : JSON.stringify(after),
    ]);
  }
}
