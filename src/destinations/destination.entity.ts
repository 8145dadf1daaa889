import { Column, Entity } from 'typeorm';
import type { JsonObject } from '../events/customer-event';
import { Resource } from '../platform/database/resources/resource.entity';

/** The events of each person in the order of their acceptance, and how long those behind one that fails wait for it. */
export interface DeliveryOrder {
  readonly by: 'person';
  readonly maxWaitSeconds: number;
  readonly maxWaiting: number;
  /** What becomes of one that others have waited for too long. */
  readonly afterwards: 'pass' | 'dead_letter';
}

/** Where events are delivered to. */
@Entity('destination')
export class Destination extends Resource {
  /** The id of a connector: `webhook`, `s3-export` or a custom one. */
  @Column('text')
  type: string;

  /** The connector's settings without its secrets. */
  @Column('jsonb')
  config: JsonObject;

  /** The connector's secrets: a JSON object, sealed with `SecretBox`. */
  @Column('text', { name: 'secrets_sealed' })
  secretsSealed: string;

  /** After a rotation the secrets before sign as well, until `previousSecretsUntil`. */
  @Column('text', { name: 'previous_secrets_sealed', nullable: true })
  previousSecretsSealed: string | null;

  @Column('timestamptz', { name: 'previous_secrets_until', nullable: true })
  previousSecretsUntil: Date | null;

  /** Those before these, a list with the end of each; see `previous-secrets.ts`. */
  @Column('text', { name: 'earlier_secrets_sealed', nullable: true })
  earlierSecretsSealed: string | null;

  @Column('boolean')
  enabled: boolean;

  /** Why the service itself switched it off; null when it did not, and when it is switched on. */
  @Column({ type: 'text', name: 'disabled_reason', nullable: true, insert: false })
  disabledReason: string | null;

  /** Ids of the sources whose events it gets; null is all. */
  @Column('jsonb', { nullable: true })
  sources: string[] | null;

  /** Which events it gets, as it was written; null is all. */
  @Column('jsonb', { nullable: true })
  filter: JsonObject | null;

  /** How events are changed before they are signed and sent, as it was written; null is not at all. */
  @Column('jsonb', { nullable: true })
  mapping: JsonObject | null;

  /** The id of the transformation that changes events before the mapping; null is none. */
  @Column('uuid', { name: 'transformation_id', nullable: true })
  transformationId: string | null;

  /** Notices of the service it asked for beside events, e.g. `segment_entered`. */
  @Column('jsonb', { default: [] })
  notices: string[];

  /** Names of the computed traits whose changes it is told of, where it asks for that; null is all. */
  @Column('jsonb', { name: 'notice_traits', nullable: true })
  noticeTraits: string[] | null;

  /** How much it gets at most; null is no limit. */
  @Column('jsonb', { name: 'rate_limit', nullable: true })
  rateLimit: { perSecond: number } | null;

  /** In what order it gets events; null is none. */
  @Column('jsonb', { name: 'ordering', nullable: true })
  order: DeliveryOrder | null;

  /** When it was last given an order, or rid of it, while it was there already. */
  @Column('timestamptz', { name: 'ordered_at', nullable: true })
  orderedAt: Date | null;
}
