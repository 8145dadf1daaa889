import { Injectable } from '@nestjs/common';
import { LiveCopy } from '../../platform/background/live-copy';
import { Config } from '../../platform/config/config';
import { Database, type Tx } from '../../platform/database/database';
import { type KeptTraitRow, KeptTraits } from '../computed-traits/kept-traits';
import { activeGenerations, type SegmentDefinition } from './active-generation';
import { GenerationIndex } from './generation-index';
import { shareLockRevision } from './revision';

/** Each with the computed traits that its rules name. */
const readDefinitionsSql = `
  select id, name, match, rules, generation, live_generation as "liveGeneration", live_match as "liveMatch",
    live_rules as "liveRules",
    exists (select 1 from segment_task t
      where t.segment_id = segment.id and t.generation = segment.generation and t.kind = 'switch') as computing,
    (select t.old_generation from segment_task t
      where t.segment_id = segment.id and t.kind = 'settle') as "toldGeneration",
    case when rules::text like '%"computed.%' or live_rules::text like '%"computed.%'
      then (select json_agg(json_build_object('name', c.name, 'definition', c.definition)) from computed_trait c
        where position('"computed.' || c.name || '"' in rules::text || coalesce(live_rules::text, '')) > 0) end as traits
  from segment`;

/** What is of another definition by now is about to be discarded. */
const readKeptTraitsSql = `
  select k.generation, c.name, k.definition, k.state from kept_trait k
  join computed_trait c on c.id = k.trait_id and c.definition = k.definition
  where k.state <> 'discarding'`;

/** All definitions as they are now, compiled and indexed; and now, by PostgreSQL's clock, with microseconds. */
export interface ActiveSegmentsNow {
  readonly index: GenerationIndex;
  readonly traits: KeptTraits;
  readonly now: string;
}

/** Keeps the compiled definitions of all segments and of kept computed traits in memory, until one changes. */
@Injectable()
export class ActiveSegments {
  /** For which events are kept. */
  readonly retentionDays: number;
  private readonly copy: LiveCopy<SegmentDefinition, GenerationIndex>;
  private readonly traits: LiveCopy<KeptTraitRow, KeptTraits>;

  constructor(database: Database, config: Config) {
    this.retentionDays = config.events.retentionDays;
    const versionSql = 'select revision from segment_revision';
    const segments = {
      name: 'segments',
      versionSql,
      rowsSql: readDefinitionsSql,
      build: (rows: readonly SegmentDefinition[]) =>
        new GenerationIndex(activeGenerations(rows, this.retentionDays)),
    };
    this.copy = new LiveCopy(segments, database);
    const traits = {
      name: 'kept_traits',
      versionSql,
      rowsSql: readKeptTraitsSql,
      build: (rows: readonly KeptTraitRow[]) => new KeptTraits(rows, this.retentionDays),
    };
    this.traits = new LiveCopy(traits, database);
  }

  /** The definitions that hold until the transaction ends: none changes before. */
  async shareLock(tx: Tx): Promise<ActiveSegmentsNow> {
    const { revision, now } = await shareLockRevision(tx);
    const index = await this.copy.refresh(revision, tx);
    return { index, traits: await this.traits.refresh(revision, tx), now };
  }
}
