import { isEventType } from '../../events/customer-event';
import { SqlValues } from '../../language/sql-values';
import type { Database, Tx } from '../../platform/database/database';
import { failureOf } from '../../platform/database/failure';
import { SCAN_TABLES_SQL } from '../../platform/database/statements/statement';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import { traitToSql } from '../rules/sql/field-to-sql';
import { COMPUTED_PREFIX } from '../rules/named-measures';
import type { TraitField } from '../rules/predicate';
import { partsOf } from '../rules/sequence';
import type { Looked } from './asked-paths';
import { closestName } from './closest-name';
import { memberPath } from './member-path';

/** Profiles to look at, and those whose traits are proposed: a trait that many have is found at once. */
const MAX_LOOKED_AT = 50_000;
const MAX_SAMPLED = 1_000;
const MAX_NAMES = 20;
/** Beyond this nothing is said: a warning is not worth waiting for. */
const TIMEOUT_MS = 500;

/** What a rule names. */
type NamedKind = TraitField['kind'] | 'event';

interface Source {
  /** What has it. */
  readonly has: string;
  /** What goes before the name in a rule. */
  readonly prefix: string;
  readonly code: string;
  /** Answers objects, called `named`, with the names as keys. */
  readonly sql: string;
}

const SOURCES: Readonly<Record<NamedKind, Source>> = {
  trait: {
    has: 'profile',
    prefix: 'traits.',
    code: 'unknown_field',
    sql: 'select traits as named from profile where merged_into is null',
  },
  group_trait: {
    has: 'group',
    prefix: 'groups.',
    code: 'unknown_field',
    sql: 'select traits as named from customer_group',
  },
  event: {
    has: 'profile',
    prefix: '',
    code: 'unknown_event',
    sql: 'select event_totals as named from profile where merged_into is null',
  },
};

const lookedAtSql = ({ sql }: Source, limit: number): string => `(${sql} limit ${limit})`;
const countLookedAtSql = (source: Source): string =>
  `select count(*)::integer as count from ${lookedAtSql(source, MAX_LOOKED_AT + 1)} p`;
const readNamesSql = (source: Source): string => `
  select distinct name from ${lookedAtSql(source, MAX_SAMPLED)} p, jsonb_object_keys(p.named) name
  order by name limit ${MAX_SAMPLED}`;

/** A trait or an event that a rule looks at. */
interface Named {
  /** Of the member that names it. */
  readonly path: string;
  readonly name: string;
  readonly kind: NamedKind;
  /** Whether one of those looked at, `p`, has it. */
  readonly testSql: (values: SqlValues) => string;
}

/**
 * Traits that no profile has, or no group, and names of events that no profile has; of many, that none of those looked
 * at has; nothing where there are no profiles, or no groups.
 * @param computed the names of computed traits, which traits may have been meant as
 */
export async function nameWarnings(
  looked: readonly Looked[],
  computed: readonly string[],
  database: Database,
): Promise<ProblemDetail[]> {
  const named = looked.flatMap(namesOf);
  const traits = named.filter(({ kind }) => kind !== 'event').slice(0, MAX_NAMES);
  const events = named.filter(({ kind }) => kind === 'event').slice(0, MAX_NAMES);
  // Apart: one kind is told of when looking for the other takes too long.
  const ofTraits = await warningsOf(traits, computed, database);
  return [...ofTraits, ...(await warningsOf(events, [], database))];
}

async function warningsOf(
  named: readonly Named[],
  computed: readonly string[],
  database: Database,
): Promise<ProblemDetail[]> {
  if (named.length === 0) return [];
  try {
    return await database.transaction(async (tx) => {
      await tx.query(`set local statement_timeout = ${TIMEOUT_MS}`);
      await tx.query(SCAN_TABLES_SQL);
      const unknown = await findUnknown(named, tx);
      const ofPeople = await warnOf(unknown, 'trait', computed, tx);
      const ofGroups = await warnOf(unknown, 'group_trait', [], tx);
      return [...ofPeople, ...ofGroups, ...(await warnOf(unknown, 'event', [], tx))];
    });
  } catch (error) {
    // May stop here: the answer is complete without the warning.
    if (failureOf(error) !== undefined) return [];
    throw error;
  }
}

function namesOf({ path, field }: Looked): Named[] {
  switch (field.kind) {
    case 'trait':
    case 'group_trait': {
      const name = (field.paths[0] ?? []).join('.');
      const testSql = (values: SqlValues): string => `${traitToSql(field, 'p.named', values)} is not null`;
      return [{ path: memberPath(path, 'field'), name, kind: field.kind, testSql }];
    }
    case 'event_count':
      return eventOf(field.event, path);
    case 'measure':
      return eventOf(field.measure.event, path);
    case 'sequence':
      return partsOf(field).flatMap(([part, { event }]) => eventOf(event, memberPath(path, part)));
    default:
      return [];
  }
}

/** A type is no misspelt name. */
function eventOf(name: string | undefined, path: string): Named[] {
  if (name === undefined || isEventType(name)) return [];
  const testSql = (values: SqlValues): string => `p.named ? ${values.text(name)}`;
  return [{ path: memberPath(path, 'event'), name, kind: 'event', testSql }];
}

async function findUnknown(named: readonly Named[], tx: Tx): Promise<Named[]> {
  const values = new SqlValues();
  const isThere = named.map(
    ({ kind, testSql }) =>
      `exists (select from ${lookedAtSql(SOURCES[kind], MAX_LOOKED_AT)} p where ${testSql(values)})`,
  );
  const [row] = await tx.query<{ found: boolean[] }>(
    `select array[${isThere.join(', ')}] as found`,
    values.params,
  );
  return named.filter((_, at) => row?.found[at] === false);
}

/** @param computed what the names may have been meant as, too: names of computed traits */
async function warnOf(
  named: readonly Named[],
  kind: NamedKind,
  computed: readonly string[],
  tx: Tx,
): Promise<ProblemDetail[]> {
  const unknown = named.filter((one) => one.kind === kind);
  if (unknown.length === 0) return [];
  const source = SOURCES[kind];
  const { has, prefix, code } = source;
  const [looked] = await tx.query<{ count: number }>(countLookedAtSql(source));
  const count = looked?.count ?? 0;
  if (count === 0) return [];
  const who = count > MAX_LOOKED_AT ? `None of ${MAX_LOOKED_AT} ${has}s looked at has` : `No ${has} has`;
  const what = kind === 'event' ? ' an event called' : '';
  const names = (await tx.query<{ name: string }>(readNamesSql(source))).map(({ name }) => name);
  return unknown.map(({ path, name }) => {
    const meant = meantBy(name, names, prefix, computed);
    const hint =
      meant !== undefined
        ? `; did you mean \`${meant}\`?`
        : kind !== 'event' && name.startsWith('properties.')
          ? ': rules look at profiles; properties of events go into `where`.'
          : '.';
    return { path, code, message: `${who}${what} \`${name}\`${hint}` };
  });
}

function meantBy(
  name: string,
  names: readonly string[],
  prefix: string,
  computed: readonly string[],
): string | undefined {
  if (computed.includes(name)) return `${COMPUTED_PREFIX}${name}`;
  const meant = closestName(name, names);
  if (meant !== undefined) return `${prefix}${meant}`;
  const ofComputed = closestName(name, computed);
  return ofComputed === undefined ? undefined : `${COMPUTED_PREFIX}${ofComputed}`;
}
