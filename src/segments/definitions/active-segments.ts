import { Injectable } from '@nestjs/common';
import { LiveCopy } from '../../platform/background/live-copy';
import { Config } from '../../platform/config/config';
import { Database, type Tx } from '../../platform/database/database';
import { activeGenerations, type SegmentDefinition } from './active-generation';
import { GenerationIndex } from './generation-index';
import { holdRevision } from './revision';

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

/** All definitions as they are now, compiled and indexed; and now, by PostgreSQL's clock, with microseconds. */
export interface ActiveSegmentsNow {
  readonly index: GenerationIndex;
  readonly now: string;
}

/** Keeps the compiled definitions of all segments in memory, until one changes. */
@Injectable()
export class ActiveSegments {
  /** For which events are kept. */
  readonly retentionDays: number;
  private readonly copy: LiveCopy<SegmentDefinition, GenerationIndex>;

  constructor(database: Database, config: Config) {
    this.retentionDays = config.events.retentionDays;
    const original = {
      name: 'segments',
      versionSql: 'select revision from segment_revision',
      rowsSql: readDefinitionsSql,
      build: (rows: readonly SegmentDefinition[]) =>
        new GenerationIndex(activeGenerations(rows, this.retentionDays)),
    };
    this.copy = new LiveCopy(original, database);
  }

  /** The definitions that hold until the transaction ends: none changes before. */
  async hold(tx: Tx): Promise<ActiveSegmentsNow> {
    const { revision, now } = await holdRevision(tx);
    return { index: await this.copy.refresh(revision, tx), now };
  }
}
