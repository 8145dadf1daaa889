import { Column, CreateDateColumn, Entity, PrimaryColumn, UpdateDateColumn } from 'typeorm';
import type { Match, RuleNode } from './rules/rule';

/** `computing`: the newest definition is not complete yet. `failed`: it could not be computed, see `failure`. */
export type SegmentState = 'computing' | 'live' | 'failed';

/** A named set of profiles, defined by rules. */
@Entity('segment')
export class Segment {
  @PrimaryColumn('uuid')
  id: string;

  @Column('text')
  name: string;

  @Column('text')
  description: string;

  @Column('text')
  match: Match;

  @Column('jsonb')
  rules: RuleNode[];

  /** The members that belong to `match` and `rules`. A new definition gets a new generation. */
  @Column('integer')
  generation: number;

  /** The generation that can be read. Null until the first one is complete. */
  @Column('integer', { name: 'live_generation', nullable: true })
  liveGeneration: number | null;

  /** What the live generation is made from, while that is not `match` and `rules`. */
  @Column('text', { name: 'live_match', nullable: true })
  liveMatch: Match | null;

  @Column('jsonb', { name: 'live_rules', nullable: true })
  liveRules: RuleNode[] | null;

  @Column('text')
  state: SegmentState;

  @Column('text', { nullable: true })
  failure: string | null;

  @Column('boolean', { name: 'announce_first' })
  announceFirst: boolean;

  /** Goes up with each change by an operator; the ETag. */
  @Column('integer')
  version: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt: Date;
}
