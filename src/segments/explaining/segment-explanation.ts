import { Injectable } from '@nestjs/common';
import { userSubject } from '../../events/subject';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { plannedEachTime } from '../../platform/database/statements/made-statement';
import { rootOfSql } from '../../profiles/identity/subjects-sql';
import { ProfileNotFoundError } from '../../profiles/profile-problems';
import { factColumnsSql, factsOf } from '../../profiles/state/profile-row';
import type { ExplanationDto } from '../api/dto/explanation.dto';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { readFacts } from '../membership/read-facts';
import { readMeasures } from '../membership/read-measures';
import { compilePredicate } from '../rules/memory/compile-predicate';
import { explainRules } from '../rules/memory/explain-rules';
import { factNeedsOf, referencesOf } from '../rules/predicate';
import { measureReads } from '../rules/sql/measure-groups';
import { parseBoundedRules } from '../rules/parsing/parse-bounded-rules';
import type { RuleNode } from '../rules/rule';
import type { Match } from '../../language/operators';
import { segmentsOf } from '../reading/segments-of';
import { SegmentNotFoundError } from '../segment-problems';
import { readCountedEvents } from './counted-events';
import { readSequenceProgress } from './read-sequence-progress';

type FoundProfile = Parameters<typeof factsOf>[0] & { now: Date };

const readDefinitionSql = 'select match, rules from segment where id = $1';
/** The profile that the subject $1 belongs to now. */
const readProfileSql = `
  select ${factColumnsSql}, clock_timestamp() as now from profile p
  where p.subject = ${rootOfSql('$1')}
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
    if (segment === undefined) throw new SegmentNotFoundError(segmentId);
    const traits = await readNamedMeasures(this.database);
    const parsed = parseBoundedRules(segment, traits, this.config.events.retentionDays);
    if (!parsed.ok) throw new SegmentNotFoundError(segmentId);
    const { predicate } = parsed;
    const subject = userSubject(userId);
    if (subject.includes('\0')) throw new ProfileNotFoundError(subject); // PostgreSQL knows no such text.
    const [profile] = await this.database.query<FoundProfile>(readProfileSql, [subject]);
    if (profile === undefined) throw new ProfileNotFoundError(subject);
    const [entry] = await this.database.query<{ enteredAt: Date }>(readEntrySql, [
      segmentId,
      profile.subject,
    ]);
    const facts = factsOf(profile);
    const nowMs = profile.now.getTime();
    const needs = factNeedsOf(predicate);
    const person = { facts, generations: [{ ...needs, reads: measureReads(needs.measures) }] };
    const measures = readMeasures([person], nowMs, this.database);
    const reading = { measures, nowMs, statementOf: plannedEachTime };
    const factsWith = await readFacts([person], reading, this.database);
    const asked = referencesOf(predicate).map((reference) => reference.segmentId);
    const segments = (await segmentsOf([facts.subject], asked, this.database)).get(facts.subject);
    const seen = factsWith(person, segments ?? new Set());
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
