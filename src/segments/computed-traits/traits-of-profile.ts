import { Injectable } from '@nestjs/common';
import type { JsonObject, Subject } from '../../events/customer-event';
import { Database } from '../../platform/database/database';
import { ProfileComputedTraits } from '../../profiles/profile-computed-traits';
import { readMeasures } from '../membership/read-measures';
import { measuredNow } from '../rules/read-field';
import { readNamedMeasures } from './read-named-measures';

/** The computed traits that a profile shows: counted now, from the stored events of the person. */
@Injectable()
export class TraitsOfProfile extends ProfileComputedTraits {
  constructor(private readonly database: Database) {
    super();
  }

  async of(subject: Subject): Promise<JsonObject> {
    const traits = await readNamedMeasures(this.database);
    const nowMs = Date.now();
    const work = { facts: { subject }, generations: [{ measures: [...traits.values()] }] };
    const measures = (await readMeasures([work], nowMs, this.database)).get(subject) ?? new Map();
    const values = [...traits].flatMap(([name, field]) => {
      const value = measuredNow(field, { measures, nowMs });
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(values);
  }
}
