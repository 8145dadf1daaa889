import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../events/customer-event';
import { compileSchema } from './compile-schema';
import { parsePlan } from './parse-plan';

const FIXTURES = join(__dirname, '../../../test/fixtures/json-schema-test-suite');
const SUITE = join(FIXTURES, 'draft2020-12');

interface Group {
  readonly description: string;
  readonly schema: JsonValue;
  readonly tests: readonly {
    readonly description: string;
    readonly data: JsonValue;
    readonly valid: boolean;
  }[];
}

/** What differs from the suite, by reason. */
interface Expected {
  /** Schemas, by the codes of what is wrong with them. */
  readonly refused: Readonly<Record<string, readonly string[]>>;
  /** Tests of schemas that are not refused. */
  readonly differing: Readonly<Record<string, readonly string[]>>;
}

const groups = readdirSync(SUITE).flatMap((file) =>
  (JSON.parse(readFileSync(join(SUITE, file), 'utf8')) as Group[]).map((group) => ({
    ...group,
    name: `${file.replace('.json', '')}: ${group.description}`,
  })),
);
const expected = JSON.parse(readFileSync(join(FIXTURES, 'expected.json'), 'utf8')) as Expected;

describe('the schemas of the JSON-Schema-Test-Suite', () => {
  it('are refused only where plans say no, each for its reason', async () => {
    const refused: Record<string, string[]> = {};
    for (const { name, schema } of groups) {
      const codes = await faultsOf(schema);
      if (codes.length > 0) (refused[codes.join(', ')] ??= []).push(name);
    }
    expect(refused).toEqual(expected.refused);
  });

  it('else mean what the suite says, the listed tests aside', () => {
    const refused = new Set(Object.values(expected.refused).flat());
    const taken = groups.filter(({ name }) => !refused.has(name));
    const differing = taken.flatMap(({ name, schema, tests }) => {
      // With the first error and with all, as events are looked at.
      const checks = [false, true].map((allErrors) => compileSchema(schema as JsonObject, allErrors));
      return tests
        .filter(({ data, valid }) => checks.some((check) => (check(data).length === 0) !== valid))
        .map(({ description }) => `${name}: ${description}`);
    });
    expect(differing.toSorted()).toEqual(Object.values(expected.differing).flat().toSorted());
    expect(taken.flatMap(({ tests }) => tests).length).toBeGreaterThan(850);
  });
});

/** The codes of what is wrong with a plan that has the schema. */
async function faultsOf(schema: JsonValue): Promise<string[]> {
  const parsed = await parsePlan({ rules: [{ type: 'page', schema }] });
  return parsed.ok ? [] : [...new Set(parsed.errors.map(({ code }) => code))].toSorted();
}
