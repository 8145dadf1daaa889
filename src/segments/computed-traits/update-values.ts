import type { JsonValue, Subject } from '../../events/customer-event';
import { sameJson } from '../../events/same-json';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import type { TraitChange } from '../membership/person-change';
import { NO_MEASURES, type PersonMeasures } from '../membership/read-measures';
import type { NamedValue } from '../rules/named-value';
import type { KeptTrait } from './kept-traits';

/** A person, and the computed traits to look at. */
export interface ValuesWork {
  readonly facts: { readonly subject: Subject };
  readonly traits: readonly KeptTrait[];
}

/** A row of `computed_value`. */
interface KnownValue extends NamedValue, Record<string, unknown> {
  readonly subject: Subject;
  readonly generation: number;
}

/** A look into the index for each, also while the plan is of a time when few were there. */
const readValuesSql = prepared('computed_read_values')`
    select v.subject, v.generation, v.value, (extract(epoch from v.due_at) * 1000)::float8 as "dueMs"
    from unnest($1::text[], $2::integer[]) as asked (subject, generation)
    cross join lateral (select * from computed_value as c
      where c.subject = asked.subject and c.generation = asked.generation limit 1) as v`;
/** In the order of the key, as everybody writes them: no deadlock. */
const writeValuesSql = prepared('computed_write_values')`
    with gone as (
      delete from computed_value v using unnest($5::text[], $6::integer[]) as g (subject, generation)
      where v.subject = g.subject and v.generation = g.generation
    )
    insert into computed_value (subject, generation, value, due_at)
    select subject, generation, value::jsonb, to_timestamp(due_ms / 1000)
    from unnest($1::text[], $2::integer[], $3::text[], $4::float8[]) as w (subject, generation, value, due_ms)
    order by subject, generation
    on conflict (subject, generation) do update set value = excluded.value, due_at = excluded.due_at`;

/**
 * Keeps the values of people whose profiles the transaction keeps others from. Returns those that are others than
 * before.
 * @param measures what `readMeasures` has read of them, at `now`
 * @param now PostgreSQL's time, as it writes it
 */
export async function updateValues(
  work: readonly ValuesWork[],
  measures: ReadonlyMap<Subject, PersonMeasures>,
  now: string,
  tx: Tx,
): Promise<TraitChange[]> {
  if (work.length === 0) return [];
  const nowMs = Date.parse(now);
  const at = new Date(nowMs).toISOString();
  const known = await readValues(work, tx);
  const written: KnownValue[] = [];
  const removed: KnownValue[] = [];
  const changes: TraitChange[] = [];
  for (const { facts, traits } of work) {
    const { subject } = facts;
    const measured = { measures: measures.get(subject) ?? NO_MEASURES, nowMs };
    for (const { generation, name, valueOf, nothing, isTold } of traits) {
      const found = valueOf(measured);
      const before = known.get(keyOf(subject, generation));
      const previous = before === undefined ? nothing : before.value;
      const isSame = sameJson(found.value, previous);
      if (found.dueMs === null && sameJson(found.value, nothing)) {
        if (before !== undefined) removed.push({ subject, generation, ...found });
      } else if (!isSame || before === undefined || !isSoonEnough(before.dueMs, found.dueMs, nowMs)) {
        written.push({ subject, generation, ...found });
      }
      if (!isSame && isTold)
        changes.push({ change: 'changed', trait: name, subject, value: found.value, previous, at });
    }
  }
  await writeValues(written, removed, tx);
  return changes;
}

/** As with memberships: who is looked at before it is due gets the exact time then. */
function isSoonEnough(knownMs: number | null, foundMs: number | null, nowMs: number): boolean {
  if (knownMs === foundMs) return true;
  return knownMs !== null && knownMs > nowMs && (foundMs === null || knownMs <= foundMs);
}

async function readValues(work: readonly ValuesWork[], tx: Tx): Promise<ReadonlyMap<string, KnownValue>> {
  const asked = work.flatMap(({ facts: { subject }, traits }) =>
    traits.map(({ generation }) => ({ subject, generation })),
  );
  const rows = await tx.query<KnownValue>(readValuesSql, [
    asked.map(({ subject }) => subject),
    asked.map(({ generation }) => generation),
  ]);
  return new Map(rows.map((row) => [keyOf(row.subject, row.generation), row]));
}

function keyOf(subject: Subject, generation: number): string {
  return `${generation} ${subject}`;
}

async function writeValues(
  written: readonly KnownValue[],
  removed: readonly KnownValue[],
  tx: Tx,
): Promise<void> {
  if (written.length === 0 && removed.length === 0) return;
  await tx.query(writeValuesSql, [
    written.map(({ subject }) => subject),
    written.map(({ generation }) => generation),
    written.map(({ value }) => asJsonb(value)),
    written.map(({ dueMs }) => dueMs),
    removed.map(({ subject }) => subject),
    removed.map(({ generation }) => generation),
  ]);
}

/** As a column of type jsonb takes it. */
export function asJsonb(value: JsonValue): string | null {
  return value === null ? null : JSON.stringify(value);
}
