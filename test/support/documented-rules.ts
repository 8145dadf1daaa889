import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseRules } from '../../src/segments/rules/parsing/parse-rules';
import type { Predicate } from '../../src/segments/rules/predicate';
import type { RandomProfile } from './random-segments';

/** One row of a table in docs/segments.md: a rule, and what it says of the profile of each column. */
export interface DocumentedCase {
  readonly rule: string;
  readonly predicate: Predicate;
  readonly profiles: readonly RandomProfile[];
  readonly verdicts: readonly boolean[];
}

const AT = '2026-01-01T00:00:00.000Z';
/** A profile without anything. */
export const NOBODY: RandomProfile = {
  traits: {},
  groups: [],
  totals: {},
  firstSeenAt: AT,
  lastSeenAt: AT,
  days: [],
};

/** Reads the tables whose first column is `rule`. */
export function documentedCases(): DocumentedCase[] {
  const text = readFileSync(join(__dirname, '../../docs/segments.md'), 'utf8');
  const tables = text.split(/\n(?!\|)/).filter((block) => /^\s*\|\s*rule\s*\|/.test(block));
  return tables.flatMap((table) => {
    const [header = [], , ...rows] = table.trim().split('\n').map(cellsOf);
    const profiles = header.slice(1).map(profileOf);
    return rows.map(([rule = '', ...verdicts]) => ({
      rule,
      predicate: predicateOf(rule),
      profiles,
      verdicts: verdicts.map((verdict) => verdict === 'yes'),
    }));
  });
}

function cellsOf(row: string): string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll('`', ''));
}

/** A column is the count of a profile when it is a bare number under a rule of counts, else the value of a trait. */
function profileOf(column: string, _at: number, columns: readonly string[]): RandomProfile {
  if (columns.every((text) => /^\d+$/.test(text))) return { ...NOBODY, totals: { Look: Number(column) } };
  return column === 'missing' ? NOBODY : { ...NOBODY, traits: { trait: JSON.parse(column) } };
}

/** `event_count eq 3`, or an operator and its value for a trait: `eq "pro"`. */
function predicateOf(rule: string): Predicate {
  const [, field = 'trait', operator, value] = /^(?:(event_count) )?(\w+)(?: (.+))?$/.exec(rule) ?? [];
  const parsed = parseRules([
    { field, operator, ...(value === undefined ? {} : { value: JSON.parse(value) }) },
  ]);
  if (!parsed.ok) throw new Error(`${rule}: ${JSON.stringify(parsed.errors)}`);
  return parsed.predicate;
}
