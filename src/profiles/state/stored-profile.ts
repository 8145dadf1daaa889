import type { Subject } from '../../events/customer-event';
import { bigintArray, textArray, timestampArray } from '../../platform/database/statements/binary-arrays';
import { factColumnsSql, type FactsRow } from './profile-row';
import type { StoredTraits } from './stored-traits';

/** A whole row of `profile`: a person, or an id that belongs to one. */
export interface StoredProfile extends FactsRow, StoredTraits {
  /** The profile that the subject belongs to; null when it is one itself. */
  readonly merged_into: Subject | null;
  /** An alias named the subject, and no event has borne it so far. */
  readonly only_aliased: boolean;
}

/** What is read of the table `p`. */
export const storedProfileSql = `
  ${factColumnsSql}, p.merged_into, p.only_aliased, p.trait_clocks::text as trait_clocks`;

/** A column that is written: what is sent of a row, and what PostgreSQL makes of it (`d.<name>`). */
interface Column {
  readonly name: string;
  readonly type: 'text' | 'bigint' | 'timestamptz';
  readonly valueOf: (row: StoredProfile) => string | number | undefined;
  readonly sql: string;
}

/** Which profile a subject is, and what is counted of it. */
const countColumns: readonly Column[] = [
  text('subject', ({ subject }) => subject),
  text('merged_into', ({ merged_into }) => merged_into ?? undefined),
  text('only_aliased', ({ only_aliased }) => String(only_aliased), 'd.only_aliased::boolean'),
  text(
    'groups',
    ({ groups }) => (groups === null ? undefined : JSON.stringify(groups)),
    `case when d.groups is null then '{}' else array(select jsonb_array_elements_text(d.groups::jsonb)) end`,
  ),
  { name: 'event_count', type: 'bigint', valueOf: (row) => row.event_count, sql: 'd.event_count' },
  text('event_totals', ({ event_totals }) => event_totals, 'd.event_totals::jsonb'),
  time('first_seen_at', ({ first_seen_ms }) => first_seen_ms),
  time('last_seen_at', ({ last_seen_ms }) => last_seen_ms),
];

/** What may be large, and changes with few events only. */
const traitColumns: readonly Column[] = [
  text('traits', ({ traits }) => traits, 'd.traits::jsonb'),
  text('trait_clocks', ({ trait_clocks }) => trait_clocks, 'd.trait_clocks::jsonb'),
];

/** Columns that are written together, in the SQL of an insert. */
export interface ColumnSet {
  readonly names: readonly string[];
  /** Reads what `paramsOf` sends, in the one order in which profiles are locked. */
  readonly rowsSql: string;
  paramsOf(rows: readonly StoredProfile[]): Buffer[];
  /** Whether these columns of two rows are the same. */
  areEqual(a: StoredProfile, b: StoredProfile): boolean;
}

export const COUNTS = columnSet(countColumns);
export const TRAITS = columnSet(traitColumns);
export const ALL = columnSet([...countColumns, ...traitColumns]);

function columnSet(columns: readonly Column[]): ColumnSet {
  const names = columns.map(({ name }) => name);
  const params = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  return {
    names,
    rowsSql: `
      select ${columns.map(({ sql }) => sql).join(', ')}
      from unnest(${params.join(', ')}) as d(${names.join(', ')})
      order by d.subject collate "C"`,
    paramsOf: (rows) => columns.map((column) => encode(column, rows)),
    areEqual: (a, b) => columns.every(({ valueOf }) => valueOf(a) === valueOf(b)),
  };
}

function text(name: string, valueOf: (row: StoredProfile) => string | undefined, sql = `d.${name}`): Column {
  return { name, type: 'text', valueOf, sql };
}

/** A time of the events, in ms since 1970; null when there are none. */
function time(name: string, msOf: (row: StoredProfile) => number): Column {
  return {
    name,
    type: 'timestamptz',
    valueOf: (row) => (row.event_count > 0 ? msOf(row) : 0),
    sql: `case when d.event_count > 0 then d.${name} end`,
  };
}

function encode({ type, valueOf }: Column, rows: readonly StoredProfile[]): Buffer {
  const values = rows.map(valueOf);
  if (type === 'text') return textArray(values as (string | undefined)[]);
  return (type === 'bigint' ? bigintArray : timestampArray)(values as number[]);
}
