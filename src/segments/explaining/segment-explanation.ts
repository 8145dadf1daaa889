import { Injectable } from '@nestjs/common';
import { userSubject } from '../../events/subject';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { plannedEachTime } from '../../platform/database/statements/made-statement';
import { ProfileNotFoundError } from '../../profiles/profile-problems';
import { factColumnsSql, factsOf } from '../../profiles/state/profile-row';
import type { ExplanationDto } from '../api/dto/explanation.dto';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { groupTraitsIn, readGroupTraits } from '../membership/read-group-traits';
import { readDayCounts } from '../membership/read-day-counts';
import { NO_MEASURES, readMeasures } from '../membership/read-measures';
import { NO_SEQUENCES, readSequences } from '../membership/read-sequences';
import { boundRanges } from '../rules/parsing/bound-ranges';
import { compilePredicate } from '../rules/memory/compile-predicate';
import { explainRules } from '../rules/memory/explain-rules';
import { dayCountsOf, groupTraitsOf, measuresOf, referencesOf, sequencesOf } from '../rules/predicate';
import { measureReads } from '../rules/sql/measure-groups';
import { parseRules } from '../rules/parsing/parse-rules';
import type { SegmentFacts } from '../rules/memory/read-field';
import type { RuleNode } from '../rules/rule';
import type { Match } from '../../language/operators';
import { segmentsOf } from '../reading/segments-of';
import { SegmentNotFoundError } from '../segment-problems';
import { readCountedEvents } from './counted-events';
import { readSequenceProgress } from './read-sequence-progress';

type FoundProfile = Parameters<typeof factsOf>[0] & Record<string, unknown> & { now: Date };

const readDefinitionSql = 'select match, rules from segment where id = $1';
/** The profile that the subject $1 belongs to now. */
const readProfileSql = `
  select ${factColumnsSql}, clock_timestamp() as now from profile p
  where p.subject = (select coalesce(a.merged_into, a.subject) from profile a where a.subject = $1)
    and p.event_count > 0`;
const readEntrySql = `
  select entered_at as "enteredAt" from live_segment_member where segment_id = $1 and subject = $2`;

/** Says why a person is in a segment, or is not. */
@Injectable()
export class SegmentExplanation {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /** @throws ProfileNotFoundError; SegmentNotFoundError when the segment (whose id is a UUID) is not there. */
  async explain(segmentId: string, userId: string): Promise<ExplanationDto> {
    const [segment] = await this.database.query<{ match: Match; rules: RuleNode[] }>(readDefinitionSql, [
      segmentId,
    ]);
    const traits = await readNamedMeasures(this.database);
    const parsed = parseRules(segment?.rules, segment?.match, traits);
    if (segment === undefined || !parsed.ok) throw new SegmentNotFoundError(segmentId);
    const predicate = boundRanges(parsed.predicate, this.config.events.retentionDays);
    const [profile] = await this.database.query<FoundProfile>(readProfileSql, [userSubject(userId)]);
    if (profile === undefined) throw new ProfileNotFoundError(userSubject(userId));
    const [entry] = await this.database.query<{ enteredAt: Date }>(readEntrySql, [
      segmentId,
      profile.subject,
    ]);
    const facts = factsOf(profile);
    const nowMs = profile.now.getTime();
    const counted = { facts, generations: [{ dayCounts: dayCountsOf(predicate) }] };
    const days = await readDayCounts([counted], nowMs, this.database);
    const measured = { facts, generations: [{ reads: measureReads(measuresOf(predicate)) }] };
    const measures = await readMeasures([measured], nowMs, this.database);
    const sequenced = { facts, generations: [{ sequences: sequencesOf(predicate) }] };
    const sequences = await readSequences([sequenced], nowMs, this.database, plannedEachTime);
    const grouped = { facts, generations: [{ groupTraits: groupTraitsOf(predicate) }] };
    const traitsOfGroups = await readGroupTraits([grouped], this.database);
    const asked = referencesOf(predicate).map((reference) => reference.segmentId);
    const segments = (await segmentsOf([facts.subject], asked, this.database)).get(facts.subject);
    const seen: SegmentFacts = {
      profile: facts,
      dayCounts: days.get(facts.subject) ?? [],
      measures: measures.get(facts.subject) ?? NO_MEASURES,
      sequences: sequences.get(facts.subject) ?? NO_SEQUENCES,
      segments: segments ?? new Set(),
      groupTraits: groupTraitsIn(grouped, traitsOfGroups),
      nowMs,
    };
    const stored = {
      counted: await readCountedEvents(predicate, facts.subject, nowMs, this.database),
      progress: await readSequenceProgress(predicate, facts.subject, nowMs, this.database),
    };
    return {
      userId,
      member: entry !== undefined,
      enteredAt: entry?.enteredAt.toISOString() ?? null,
      verdict: compilePredicate(predicate)(seen),
      rules: explainRules(segment.rules, predicate, seen, stored),
    };
  }
}
