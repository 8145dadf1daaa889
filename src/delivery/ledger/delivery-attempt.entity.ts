import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One try of a delivery, in partitions by id. For reading: `try-log.ts` writes them. Latencies are in milliseconds. */
@Entity('delivery_attempt')
export class DeliveryAttempt {
  @PrimaryColumn('uuid', { name: 'delivery_id' })
  deliveryId: string;

  @PrimaryColumn('uuid')
  id: string;

  @Column('smallint')
  attempt: number;

  @Column('timestamptz', { name: 'started_at' })
  startedAt: Date;

  /** HTTP status; null when there was no answer. */
  @Column('smallint', { nullable: true })
  status: number | null;

  @Column('text', { name: 'error_class', nullable: true })
  errorClass: string | null;

  @Column('real', { name: 'dns_ms', nullable: true })
  dnsMs: number | null;

  @Column('real', { name: 'connect_ms', nullable: true })
  connectMs: number | null;

  @Column('real', { name: 'tls_ms', nullable: true })
  tlsMs: number | null;

  @Column('real', { name: 'first_byte_ms', nullable: true })
  firstByteMs: number | null;

  @Column('real', { name: 'total_ms' })
  totalMs: number;

  /** The first 1 KB of it. */
  @Column('text', { nullable: true })
  answer: string | null;

  @Column('timestamptz', { name: 'next_try_at', nullable: true })
  nextTryAt: Date | null;
}
