import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import type { Actor } from '../auth/principal';
import type { Tx } from '../database/database';
import { nameInEntrySql } from './name-in-entry';
import { type AuditedChange, isNamed } from './audited-actions';

/** A change, or a read that is worth an entry. The caller has masked the secrets. */
export type Change = AuditedChange & {
  readonly resourceId: string;
  readonly before?: object;
  readonly after?: object;
};

const insertEntrySql = `
  insert into audit_entry (id, actor, actor_kind, actor_issuer, request_id, action, resource, resource_id, before, after,
    resource_name)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const amendEntrySql = 'update audit_entry set after = after || $2::jsonb where id = $1';
/** Each entry of a thing has its name, but for those of versions that kept none. */
const readNameSql = `
  select ${nameInEntrySql} as name from audit_entry
  where resource = $1 and resource_id = $2 and ${nameInEntrySql} is not null order by id desc limit 1`;

/** Makes the entry of a change say more, in the transaction of what it says. */
type Amend = (more: object, tx: Tx) => Promise<void>;

/** Writes down every change, in the transaction that makes it: there is no change without its entry. */
@Injectable()
export class AuditLog {
  async record(tx: Tx, actor: Actor, change: Change): Promise<void> {
    await insertEntry(uuidv7(), actor, change, tx);
  }

  /**
   * For a change that takes several transactions: writes its entry before the first one. Each of them makes `after` say
   * how far it is, so that the entry is right wherever a process ends.
   */
  async recordInParts(tx: Tx, actor: Actor, change: Change & { readonly after: object }): Promise<Amend> {
    const id = uuidv7();
    await insertEntry(id, actor, change, tx);
    return async (more, partTx) => void (await partTx.query(amendEntrySql, [id, JSON.stringify(more)]));
  }
}

async function insertEntry(id: string, actor: Actor, change: Change, tx: Tx): Promise<void> {
  const { action, resource, resourceId, before, after } = change;
  await tx.query(insertEntrySql, [
    id,
    actor.subject,
    actor.kind,
    actor.issuer,
    actor.requestId,
    action,
    resource,
    resourceId,
    before === undefined ? null : JSON.stringify(before),
    after === undefined ? null : JSON.stringify(after),
    await nameOf(change, tx),
  ]);
}

/** What a thing is called once it is changed. A change that does not say so, such as a pause, leaves it its name. */
async function nameOf({ resource, resourceId, before, after }: Change, tx: Tx): Promise<string | null> {
  if (!isNamed(resource)) return null;
  const told = nameIn(after) ?? nameIn(before);
  if (told !== undefined) return told;
  const [known] = await tx.query<{ name: string }>(readNameSql, [resource, resourceId]);
  return known?.name ?? null;
}

function nameIn(state: object = {}): string | undefined {
  return 'name' in state && typeof state.name === 'string' ? state.name : undefined;
}
