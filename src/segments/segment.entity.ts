import { Column, Entity } from 'typeorm';
import type { RuleNode } from './rules/rule';
import type { Match } from '../language/operators';
import { Resource } from '../platform/database/resources/resource.entity';

/** `computing`: the newest definition is not complete yet. `failed`: it could not be computed, see `failure`. */
export type SegmentState = 'computing' | 'live' | 'failed';

/** A named set of profiles, defined by rules. */
@Entity('segment')
export class Segment extends Resource {
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
}
