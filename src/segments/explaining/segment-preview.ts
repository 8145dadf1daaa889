import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import type { PreviewSegmentDto, SegmentPreviewDto } from '../api/dto/preview-segment.dto';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { checkSegmentsExist } from '../definitions/segment-references';
import { DEFAULT_SAMPLE, previewPeople } from './preview-people';
import { RuleWarnings } from './rule-warnings';
import { checkWindows } from '../rules/parsing/check-windows';
import { parseBoundedRules } from '../rules/parsing/parse-bounded-rules';
import { predicateToSql } from '../rules/sql/rule-to-sql';
import { SqlValues } from '../../language/sql-values';

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
    const { retentionDays } = this.config.events;
    const parsed = parseBoundedRules({ match, rules }, await readNamedMeasures(this.database), retentionDays);
    if (!parsed.ok) throw new InvalidRequestError(parsed.errors);
    const { predicate } = parsed;
    checkWindows(predicate, retentionDays);
    await checkSegmentsExist(predicate, this.database);
    const values = new SqlValues();
    const test = predicateToSql(predicate, { profile: 'p', now: 'now()', values });
    const people = await previewPeople({ test, values }, { sample, exact }, this.database);
    const userIds = people.sample.map(({ userId }) => userId);
    return { ...people, sample: userIds, warnings: await this.warnings.of(rules, match) };
  }
}
