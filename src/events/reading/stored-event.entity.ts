import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { CustomerEvent, EventType, Subject } from '../customer-event';

/** An event as it is stored, in partitions by id. For reading: `store-events.ts` writes them. */
@Entity('event')
export class StoredEvent {
  @PrimaryColumn('text')
  subject: Subject;

  @PrimaryColumn('timestamptz')
  timestamp: Date;

  /** UUIDv7: its time is the time of reception. */
  @PrimaryColumn('uuid')
  id: string;

  @Column('uuid', { name: 'source_id' })
  sourceId: string;

  @Column('text')
  type: EventType;

  /** Of a track, a page or a screen. */
  @Column('text', { nullable: true })
  name: string | null;

  /** As destinations get it. */
  @Column('json')
  payload: Omit<CustomerEvent, 'id' | 'sourceId' | 'subject'>;
}
