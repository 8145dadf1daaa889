import { timeOfId } from '../events/partitions/partition-plan';
import type { ErasureDto } from './dto/erasure.dto';

/** What the audit has of a receipt. */
export type AuditedReceipt = Omit<ErasureDto, 'pseudonym' | 'deletedAt'>;

/** Made again from the audit it is the same. */
export function receiptOf(audited: AuditedReceipt, pseudonym: string): ErasureDto {
  return { ...audited, pseudonym, deletedAt: timeOfReceipt(audited.receiptId) };
}

/** When the person was deleted: the id says so. */
export function timeOfReceipt(receiptId: string): string {
  return new Date(timeOfId(receiptId)).toISOString();
}
