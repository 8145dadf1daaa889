import { Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue, Subject } from '../../events/customer-event';
import { Config } from '../../platform/config/config';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import { Database } from '../../platform/database/database';
import { madeStatement } from '../../platform/database/statements/made-statement';
import { ProfileComputedTraits } from '../../profiles/profile-computed-traits';
import { boundRange } from '../rules/parsing/bound-ranges';
import { valuesNowStatement } from '../rules/sql/measure-to-sql';
import { readNamedMeasures } from './read-named-measures';

const computedValues = madeStatement('computed_values');

/** The computed traits that a profile shows: counted now, from the stored events of the person. */
@Injectable()
export class TraitsOfProfile extends ProfileComputedTraits {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {
    super();
  }

  async of(subject: Subject): Promise<JsonObject> {
    const traits = await readNamedMeasures(this.database);
    if (traits.size === 0) return {};
    const { retentionDays } = this.config.events;
    const fields = [...traits.values()].map((field) => boundRange(field, retentionDays));
    const { text, params } = valuesNowStatement(fields, subject, databaseNowMs());
    const [row] = await this.database.query<{ values: JsonValue[] }>(computedValues(text), [...params]);
    const named = [...traits.keys()].map((name, at) => [name, row?.values[at] ?? null] as const);
    return Object.fromEntries(named.filter(([, value]) => value !== null));
  }
}
