import { Injectable } from '@nestjs/common';
import { SqlValues } from '../../language/sql-values';
import { Config } from '../../platform/config/config';
import { Database } from '../../platform/database/database';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import type {
  ComputedTraitPreviewDto,
  PreviewComputedTraitDto,
} from '../computed-traits/api/dto/preview-computed-trait.dto';
import { boundRange } from '../rules/parsing/bound-ranges';
import { parseBoundedDefinition } from '../rules/parsing/parse-bounded-definition';
import { valueOfNothing } from '../rules/measure';
import { valueAndLeavingSql } from '../rules/sql/measure-to-sql';
import { definitionIn } from '../rules/named-measures';
import { DEFAULT_SAMPLE, previewPeople } from './preview-people';
import { RuleWarnings } from './rule-warnings';

/** Tries out on all profiles what is to be counted. */
@Injectable()
export class ComputedTraitPreview {
  constructor(
    private readonly database: Database,
    private readonly warnings: RuleWarnings,
    private readonly config: Config,
  ) {}

  /** @throws InvalidRequestError for a definition that is not valid. */
  async preview({
    sample = DEFAULT_SAMPLE,
    exact = false,
    ...members
  }: PreviewComputedTraitDto): Promise<ComputedTraitPreviewDto> {
    const { retentionDays } = this.config.events;
    const definition = definitionIn(members);
    const parsed = parseBoundedDefinition(definition, retentionDays);
    if (!parsed.ok) throw new InvalidRequestError(parsed.errors);
    const field = boundRange(parsed.field, retentionDays);
    const values = new SqlValues();
    const { aggregate } = field.measure;
    const read = valueAndLeavingSql(field, { root: 'p.subject', now: 'now()', values });
    const nothing = valueOfNothing(aggregate);
    const query = {
      joins: ` cross join lateral (${read}) as m`,
      test: nothing === undefined ? 'm.value is not null' : `m.value <> ${nothing}`,
      value: 'to_jsonb(m.value)',
      values,
    };
    const people = await previewPeople(query, { sample, exact }, this.database);
    return {
      ...people,
      sample: [...people.sample],
      warnings: await this.warnings.ofDefinition(definition),
    };
  }
}
