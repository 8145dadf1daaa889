import { Injectable } from '@nestjs/common';
import type { Subject } from '../../events/customer-event';
import { userIdOf } from '../../events/subject';
import { Config } from '../../platform/config/config';
import { Database, type Tx } from '../../platform/database/database';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import type { PreviewSegmentDto, SegmentPreviewDto } from '../api/dto/preview-segment.dto';
import { measureProfiles } from '../../profiles/measure-profiles';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { type EstimatedPeople, estimatePeople, type PeopleSql } from './estimate-people';
import { RuleWarnings } from './rule-warnings';
import { boundRanges } from '../rules/bound-ranges';
import { checkWindows } from '../rules/check-windows';
import { parseRules } from '../rules/parse-rules';
import { predicateToSql } from '../rules/rule-to-sql';
import { SqlValues } from '../../language/sql-values';

const DEFAULT_SAMPLE = 10;
/** After this the answer is 503: better than holding a connection for a caller who has given up. */
const TIMEOUT_MS = 20_000;
/** Of the profile table, 8 KB each: so many people are counted while somebody waits. */
const SMALL_BLOCKS = 2_000;

/** Tries rules out on all profiles. */
@Injectable()
export class SegmentPreview {
  constructor(
    private readonly database: Database,
    private readonly warnings: RuleWarnings,
    private readonly config: Config,
  ) {}

  /** @throws InvalidRequestError for rules that are not valid. */
  async preview({
    rules,
    match,
    exact = false,
    sample = DEFAULT_SAMPLE,
  }: PreviewSegmentDto): Promise<SegmentPreviewDto> {
    const parsed = parseRules(rules, match, await readNamedMeasures(this.database));
    if (!parsed.ok) throw new InvalidRequestError(parsed.errors);
    const { retentionDays } = this.config.events;
    checkWindows(parsed.predicate, retentionDays);
    const values = new SqlValues();
    const predicate = boundRanges(parsed.predicate, retentionDays);
    const test = predicateToSql(predicate, { profile: 'p', now: 'now()', values });
    const from = `from profile p where p.merged_into is null and p.subject >= 'u:' and p.subject < 'u;' and ${test}`;
    const people = { from, params: values.params };
    const { subjects, ...count } = await this.database.transaction(async (tx) => {
      await tx.query(`set local statement_timeout = ${TIMEOUT_MS}`);
      const { blocks } = await measureProfiles(tx);
      if (exact || blocks <= SMALL_BLOCKS) return countPeople(people, sample, tx);
      return { ...(await estimatePeople(people, blocks, sample, tx)), estimated: true };
    });
    const userIds = subjects.map((subject) => userIdOf(subject) ?? '');
    return { ...count, sample: userIds, warnings: await this.warnings.of(rules, match) };
  }
}

/** Goes through all people; finds the first of them by their bytes. */
async function countPeople(
  { from, params }: PeopleSql,
  sample: number,
  tx: Tx,
): Promise<EstimatedPeople & { readonly estimated: boolean }> {
  const [counted] = await tx.query<{ count: number }>(`select count(*)::float8 as count ${from}`, params);
  const found = await tx.query<{ subject: Subject }>(
    `select p.subject ${from} order by p.subject limit $${params.length + 1}::integer`,
    [...params, sample],
  );
  const count = counted?.count ?? 0;
  const subjects = found.map(({ subject }) => subject);
  return { count, low: count, high: count, estimated: false, subjects };
}
