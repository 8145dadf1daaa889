import type { JsonObject, JsonValue, Subject } from '../../events/customer-event';
import { databaseNowMs } from '../../platform/database/connections/database-clock';
import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { rootOfSql } from '../../profiles/identity/subjects-sql';
import { NO_MEASURES, readMeasures } from '../membership/read-measures';
import { boundRange } from '../rules/parsing/bound-ranges';
import { measureReads } from '../rules/sql/measure-groups';
import { compileNamedValue } from '../rules/named-value';
import { readNamedMeasures } from './read-named-measures';

/** Of a trait whose values are there for everybody each person has a row. */
const readKeptSql = prepared('computed_values_of_subjects')`
    select asked.subject, c.name, case when v.subject is null then k.nothing else v.value end as value
    from (
      select asked.subject, ${rootOfSql('asked.subject')} as root from unnest($1::text[]) as asked (subject)
    ) as asked
    cross join computed_trait c
    join kept_trait k on k.trait_id = c.id and k.state in ('computed', 'live') and k.definition = c.definition
    left join computed_value v on v.subject = asked.root and v.generation = k.generation
    where c.name = any($2::text[])`;
const readRootsSql = prepared('computed_roots_of_subjects')`
    select asked.subject, ${rootOfSql('asked.subject')} as root from unnest($1::text[]) as asked (subject)`;

interface ValueRow {
  readonly subject: Subject;
  readonly name: string;
  readonly value: JsonValue;
}

/**
 * The values of computed traits of each person, by name, as the transaction sees them. People who were merged are who
 * they were merged into; what has no value is left out. Those that are kept are read in one statement; those that are
 * not, or not for everybody yet, are counted from stored events. No statement where nobody or no trait is asked about.
 * @param retentionDays for which events are kept
 */
export async function computedValuesOf(
  people: Iterable<Subject>,
  names: Iterable<string>,
  retentionDays: number,
  tx: Tx,
): Promise<ReadonlyMap<Subject, JsonObject>> {
  const asked = [...names];
  const subjects = asked.length === 0 ? [] : [...new Set(people)];
  if (subjects.length === 0) return new Map();
  const kept = await tx.query<ValueRow>(readKeptSql, [subjects, asked]);
  const known = new Set(kept.map(({ name }) => name));
  const others = asked.filter((name) => !known.has(name));
  const counted = others.length === 0 ? [] : await countValues(subjects, others, retentionDays, tx);
  const values = new Map<Subject, Record<string, JsonValue>>();
  for (const { subject, name, value } of [...kept, ...counted]) {
    if (value === null) continue;
    values.set(subject, { ...values.get(subject), [name]: value });
  }
  return values;
}

async function countValues(
  subjects: readonly Subject[],
  names: readonly string[],
  retentionDays: number,
  tx: Tx,
): Promise<ValueRow[]> {
  const traits = [...(await readNamedMeasures(tx))]
    .filter(([name]) => names.includes(name))
    .map(([name, field]) => ({ name, field: boundRange(field, retentionDays) }));
  if (traits.length === 0) return [];
  const rows = await tx.query<{ subject: Subject; root: Subject }>(readRootsSql, [subjects]);
  const generations = [{ reads: measureReads(traits.map(({ field }) => field)) }];
  const nowMs = databaseNowMs();
  const people = [...new Set(rows.map(({ root }) => root))];
  const measures = await readMeasures(
    people.map((subject) => ({ facts: { subject }, generations })),
    nowMs,
    tx,
  );
  const compiled = traits.map(({ name, field }) => ({ name, valueOf: compileNamedValue(field) }));
  return rows.flatMap(({ subject, root }) => {
    const facts = { measures: measures.get(root) ?? NO_MEASURES, nowMs };
    return compiled.map(({ name, valueOf }) => ({ subject, name, value: valueOf(facts).value }));
  });
}
