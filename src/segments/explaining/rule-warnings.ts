import { Injectable } from '@nestjs/common';
import type { Match } from '../../language/operators';
import { Config } from '../../platform/config/config';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { Database } from '../../platform/database/database';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { type MeasureDefinition, type NamedMeasures, parseDefinition } from '../rules/named-measures';
import { parseRules } from '../rules/parsing/parse-rules';
import { conditionsOf, type Field, type Predicate } from '../rules/predicate';
import { askedPaths, type Looked } from './asked-paths';
import { EventSamples } from './event-samples';
import { nameWarnings } from './name-warnings';
import { pathWarnings } from './path-warnings';
import { definitionWarnings, rangeWarnings } from './range-warnings';
import { stepWarnings } from './step-warnings';

/** Finds what is valid and probably not meant so, in rules and computed traits. */
@Injectable()
export class RuleWarnings {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly samples: EventSamples,
  ) {}

  /**
   * Of the rules of a segment; none of those that are not valid.
   * @param named the computed traits that rules may name, where they are not those that there are
   */
  async of(rules: unknown, match?: Match, named?: NamedMeasures): Promise<ProblemDetail[]> {
    const computed = named ?? (await readNamedMeasures(this.database));
    const parsed = parseRules(rules, match, computed);
    if (!parsed.ok) return [];
    const { retentionDays } = this.config.events;
    return [
      ...rangeWarnings(parsed.predicate, retentionDays, databaseNowMs()),
      ...stepWarnings(parsed.predicate, retentionDays),
      ...(await this.ofData(lookedAtIn(parsed.predicate, computed), [...computed.keys()])),
    ];
  }

  /** The same of a computed trait; their places are the names of members. */
  async ofDefinition(definition: MeasureDefinition): Promise<ProblemDetail[]> {
    const parsed = parseDefinition(definition);
    if (!parsed.ok) return [];
    return [
      ...definitionWarnings(definition, this.config.events.retentionDays, databaseNowMs()),
      ...(await this.ofData([{ path: '', field: parsed.field }], [])),
    ];
  }

  /** What profiles and events have nothing of. */
  private async ofData(looked: readonly Looked[], computed: readonly string[]): Promise<ProblemDetail[]> {
    const asked = askedPaths(looked);
    const samples = await this.samples.of(asked.map(({ event }) => event));
    return [...(await nameWarnings(looked, computed, this.database)), ...pathWarnings(asked, samples)];
  }
}

/** But for what computed traits are of: that was said elsewhere. */
function lookedAtIn(predicate: Predicate, computed: NamedMeasures): Looked[] {
  const ofTraits = new Set<Field>(computed.values());
  return conditionsOf(predicate)
    .filter(({ field }) => !ofTraits.has(field))
    .map(({ path, field, operator, comparand }) => ({ path, field, compared: { operator, comparand } }));
}
