import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { JsonObject, JsonValue, Subject } from '../../events/customer-event';
import { Database, type Statement } from '../../platform/database/database';
import { ProfileComputedTraits } from '../../profiles/profile-computed-traits';
import { valuesNowStatement } from '../rules/measure-to-sql';
import { readNamedMeasures } from './read-named-measures';

/** Planning it takes longer than running it. There is another one only after the computed traits have changed. */
function preparedAs(text: string): Statement {
  return { name: `computed_values_${createHash('md5').update(text).digest('hex')}`, text };
}

/** The computed traits that a profile shows: counted now, from the stored events of the person. */
@Injectable()
export class TraitsOfProfile extends ProfileComputedTraits {
  constructor(private readonly database: Database) {
    super();
  }

  async of(subject: Subject): Promise<JsonObject> {
    const traits = await readNamedMeasures(this.database);
    if (traits.size === 0) return {};
    const { text, params } = valuesNowStatement([...traits.values()], subject, Date.now());
    const [row] = await this.database.query<{ values: JsonValue[] }>(preparedAs(text), [...params]);
    const named = [...traits.keys()].map((name, at) => [name, row?.values[at] ?? null] as const);
    return Object.fromEntries(named.filter(([, value]) => value !== null));
  }
}
