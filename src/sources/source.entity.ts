import { Column, Entity } from 'typeorm';
import { Resource } from '../platform/database/resources/resource.entity';
import type { SignatureSettings } from './signature/signature';
import type { SourceKind, Untransformed } from './source-kind';

/** Something that sends events. Its write key is the credential of the Events API. */
@Entity('source')
export class Source extends Resource {
  @Column('text')
  description: string;

  @Column('boolean')
  enabled: boolean;

  /** Operators are told when it has sent nothing for this long; null is never. */
  @Column('integer', { name: 'silent_after_minutes', nullable: true })
  silentAfterMinutes: number | null;

  /** The plan that its events are checked by; null is none. */
  @Column('uuid', { name: 'tracking_plan_id', nullable: true })
  trackingPlanId: string | null;

  /** What sends here; never changes. */
  @Column('text')
  kind: SourceKind;

  @Column('text')
  untransformed: Untransformed;

  /** The code that makes events of the requests of a webhook; null is none. */
  @Column('uuid', { name: 'transformation_id', nullable: true })
  transformationId: string | null;

  /** How requests of a webhook are signed; null is not at all. */
  @Column('jsonb', { nullable: true })
  signature: SignatureSettings | null;

  /** The secrets that they are signed with: a JSON list, sealed with `SecretBox`. */
  @Column('text', { name: 'signature_secrets_sealed', nullable: true })
  signatureSecretsSealed: string | null;

  /** SHA-256 of the write key: how a request finds its source. */
  @Column('bytea', { name: 'write_key_hash' })
  writeKeyHash: Buffer;

  /** The write key for listings, sealed with `SecretBox`. */
  @Column('text', { name: 'write_key_sealed' })
  writeKeySealed: string;

  /** The key before the last rotation; works until `previousWriteKeyExpiresAt`. */
  @Column('bytea', { name: 'previous_write_key_hash', nullable: true })
  previousWriteKeyHash: Buffer | null;

  @Column('timestamptz', { name: 'previous_write_key_expires_at', nullable: true })
  previousWriteKeyExpiresAt: Date | null;
}
