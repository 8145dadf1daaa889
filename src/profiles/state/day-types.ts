import { EVENT_TYPES, type EventType, isEventType } from '../../events/customer-event';

/**
 * How many of the events of a name on a day were of which type, in the order of EVENT_TYPES. Undefined (null) where all
 * of them are of the type that the name says, which is nearly always: a row more or a wider one for each event would
 * cost more than all rules that ask for types.
 */
type DayTypes = readonly number[] | null | undefined;

/** An event without a name of its own counts under its type; any other name is that of a track, unless noted. */
export function typeSaidBy(name: string): EventType {
  return isEventType(name) ? name : 'track';
}

/** The numbers behind {@link DayTypes}. */
export function countsOfTypes(name: string, count: number, types: DayTypes): number[] {
  if (types) return [...types];
  const said = typeSaidBy(name);
  return EVENT_TYPES.map((type) => (type === said ? count : 0));
}

/** How many events of a type a row of `profile_day` has; `row` is its alias. */
export function countOfTypeSql(row: string, type: EventType): string {
  const names = EVENT_TYPES.filter((name) => name !== 'track').map((name) => `'${name}'`);
  const isSaid = type === 'track' ? `${row}.name not in (${names.join(', ')})` : `${row}.name = '${type}'`;
  const index = EVENT_TYPES.indexOf(type) + 1;
  return `case when ${row}.types is not null then ${row}.types[${index}] when ${isSaid} then ${row}.count else 0 end`;
}
