import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { Database, type Tx } from '../../platform/database/database';
import { failureOf } from '../../platform/database/failure';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import { readNamedMeasures } from '../computed-traits/read-named-measures';
import { closestName } from './closest-name';
import { rangeWarnings } from './range-warnings';
import { traitToSql } from '../rules/field-to-sql';
import { parseRules } from '../rules/parse-rules';
import { conditionsOf, type Field, type Predicate, type TraitField } from '../rules/predicate';
import type { Match } from '../../language/operators';
import { SqlValues } from '../../language/sql-values';

/** Profiles to look at, and those whose traits are proposed: a trait that many have is found at once. */
const MAX_LOOKED_AT = 50_000;
const MAX_SAMPLED = 1_000;
const MAX_FIELDS = 20;
/** Beyond this nothing is said: a warning is not worth waiting for. */
const TIMEOUT_MS = 500;

interface Source {
  /** What has traits. */
  readonly holder: string;
  /** What goes before the name of a trait in a rule. */
  readonly prefix: string;
  readonly sql: string;
}

const SOURCES: Readonly<Record<TraitField['kind'], Source>> = {
  trait: { holder: 'profile', prefix: 'traits', sql: 'select traits from profile where merged_into is null' },
  group_trait: { holder: 'group', prefix: 'groups', sql: 'select traits from customer_group' },
};

const lookedAtSql = ({ sql }: Source, limit: number): string => `(${sql} limit ${limit})`;
const countLookedAtSql = (source: Source): string =>
  `select count(*)::integer as count from ${lookedAtSql(source, MAX_LOOKED_AT + 1)} p`;
const readNamesSql = (source: Source): string => `
  select distinct name from ${lookedAtSql(source, MAX_SAMPLED)} p, jsonb_object_keys(p.traits) name
  order by name limit ${MAX_SAMPLED}`;

/** A trait that a rule looks at. */
interface NamedTrait {
  readonly path: string;
  readonly name: string;
  readonly field: TraitField;
}

/** Finds rules that are valid and probably not meant so. */
@Injectable()
export class RuleWarnings {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  /**
   * Ranges from before what is stored. Traits that no profile has, or no group; of many, that none of those looked at
   * has; nothing where there are no profiles, or no groups.
   */
  async of(rules: unknown, match?: Match): Promise<ProblemDetail[]> {
    const parsed = parseRules(rules, match, await readNamedMeasures(this.database));
    if (!parsed.ok) return [];
    const ofRanges = rangeWarnings(parsed.predicate, this.config.events.retentionDays, Date.now());
    return [...ofRanges, ...(await this.ofTraits(parsed.predicate))];
  }

  private async ofTraits(predicate: Predicate): Promise<ProblemDetail[]> {
    const traits = conditionsOf(predicate).flatMap(traitOf).slice(0, MAX_FIELDS);
    if (traits.length === 0) return [];
    try {
      return await this.database.transaction(async (tx) => {
        await tx.query(`set local statement_timeout = ${TIMEOUT_MS}`);
        const unknown = await findUnknown(traits, tx);
        const ofPeople = await warnOf(unknown, 'trait', tx);
        return [...ofPeople, ...(await warnOf(unknown, 'group_trait', tx))];
      });
    } catch (error) {
      // May stop here: the answer is complete without the warning.
      if (failureOf(error) !== undefined) return [];
      throw error;
    }
  }
}

function traitOf({ path, field }: { path: string; field: Field }): NamedTrait[] {
  return field.kind === 'trait' || field.kind === 'group_trait'
    ? [{ path, field, name: (field.paths[0] ?? []).join('.') }]
    : [];
}

async function findUnknown(traits: readonly NamedTrait[], tx: Tx): Promise<NamedTrait[]> {
  const values = new SqlValues();
  const isThere = traits.map(
    ({ field }) =>
      `exists (select from ${lookedAtSql(SOURCES[field.kind], MAX_LOOKED_AT)} p
        where ${traitToSql(field, 'p.traits', values)} is not null)`,
  );
  const [row] = await tx.query<{ found: boolean[] }>(
    `select array[${isThere.join(', ')}] as found`,
    values.params,
  );
  return traits.filter((_, at) => row?.found[at] === false);
}

async function warnOf(
  traits: readonly NamedTrait[],
  kind: TraitField['kind'],
  tx: Tx,
): Promise<ProblemDetail[]> {
  const unknown = traits.filter(({ field }) => field.kind === kind);
  if (unknown.length === 0) return [];
  const source = SOURCES[kind];
  const { holder, prefix } = source;
  const [looked] = await tx.query<{ count: number }>(countLookedAtSql(source));
  const count = looked?.count ?? 0;
  if (count === 0) return [];
  const who =
    count > MAX_LOOKED_AT ? `None of ${MAX_LOOKED_AT} ${holder}s looked at has` : `No ${holder} has`;
  const names = (await tx.query<{ name: string }>(readNamesSql(source))).map(({ name }) => name);
  return unknown.map(({ path, name }) => {
    const meant = closestName(name, names);
    const hint =
      meant !== undefined
        ? `; did you mean \`${prefix}.${meant}\`?`
        : name.startsWith('properties.')
          ? ': rules look at profiles; properties of events go into `where`.'
          : '.';
    return { path: `${path}.field`, code: 'unknown_field', message: `${who} \`${name}\`${hint}` };
  });
}
