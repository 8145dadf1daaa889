import { Injectable } from '@nestjs/common';
import type { Subject } from '../events/customer-event';
import { AuditLog } from '../platform/audit/audit-log';
import type { AuditedAction } from '../platform/audit/audited-actions';
import { readNewestChange } from '../platform/audit/read-newest-change';
import type { Actor } from '../platform/auth/principal';
import type { Tx } from '../platform/database/database';
import { Pseudonyms } from '../profiles/pseudonyms';
import type { ErasureDto } from './dto/erasure.dto';
import { type AuditedReceipt, receiptOf } from './erasure-receipt';

/** Who deleted whom and who looked at everything of whom, in the audit. People go by their pseudonyms there. */
@Injectable()
export class PrivacyTrail {
  constructor(
    private readonly audit: AuditLog,
    private readonly pseudonyms: Pseudonyms,
  ) {}

  /** To be called before the transaction of the first `record`. */
  prepare(): Promise<void> {
    return this.pseudonyms.prepare();
  }

  /** @returns what the audit calls the person: hex. */
  async record(
    action: AuditedAction<'profile'>,
    { subject, after }: { readonly subject: Subject; readonly after?: object },
    actor: Actor,
    tx: Tx,
  ): Promise<string> {
    const pseudonym = await this.pseudonymOf(subject, tx);
    await this.audit.record(tx, actor, {
      action,
      resource: 'profile',
      resourceId: pseudonym,
      after,
    });
    return pseudonym;
  }

  /** The receipt of the newest deletion of the person. */
  async lastReceipt(subject: Subject, tx: Tx): Promise<ErasureDto | undefined> {
    const pseudonym = await this.pseudonymOf(subject, tx);
    const audited = await readNewestChange({ action: 'erase', resource: 'profile' }, pseudonym, tx);
    return audited && receiptOf(audited as AuditedReceipt, pseudonym);
  }

  private async pseudonymOf(subject: Subject, tx: Tx): Promise<string> {
    return (await this.pseudonyms.of([subject], tx)).get(subject)?.toString('hex') ?? '';
  }
}
