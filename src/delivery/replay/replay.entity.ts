import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { ReplayFilter } from './replay-filter';

/** Deliveries that are made again on request, a few each second. */
@Entity('replay')
export class Replay {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  kind: 'dead_letters' | 'events';

  @Column('uuid', { name: 'destination_id' })
  destinationId: string;

  @Column('jsonb')
  filter: ReplayFilter;

  @Column('integer', { name: 'rate_per_second' })
  ratePerSecond: number;

  @Column('text')
  state: 'running' | 'done' | 'cancelled';

  /** How many there were at the start; null when they were too many to count. */
  @Column('integer', { nullable: true })
  total: number | null;

  /** Looked at so far. */
  @Column('integer')
  done: number;

  /** Made so far; null when nobody has counted them from the start. */
  @Column('integer', { nullable: true })
  deliveries: number | null;

  /** Up to where it is done. Written by the runner, as the time of its last step. */
  @Column({ type: 'jsonb', nullable: true, insert: false, update: false })
  position: unknown;

  @Column({ type: 'timestamptz', name: 'stepped_at', insert: false, update: false })
  steppedAt: Date;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
