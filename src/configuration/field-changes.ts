import { isJsonObject, type JsonObject } from '../events/customer-event';
import { sameJson } from '../events/same-json';
import type { FieldChangeDto } from './dto/config-result.dto';

/** What differs between two JSON objects, member by member down to values and arrays. An absent member is null. */
export function fieldChanges(before: JsonObject, after: JsonObject, prefix = ''): FieldChangeDto[] {
  const names = Object.keys({ ...before, ...after });
  return names.flatMap((name) => {
    const [old, young] = [before[name] ?? null, after[name] ?? null];
    const path = `${prefix}${name}`;
    if (sameJson(old, young)) return [];
    if (isJsonObject(old) && isJsonObject(young)) return fieldChanges(old, young, `${path}.`);
    return [{ path, before: old, after: young }];
  });
}
