import type { JsonValue } from '../../src/events/customer-event';
import { SqlValues } from '../../src/language/sql-values';
import { Database } from '../../src/platform/database/database';
import { boundRange } from '../../src/segments/rules/parsing/bound-ranges';
import { measureToSql } from '../../src/segments/rules/sql/measure-to-sql';
import { valueOfNothing } from '../../src/segments/rules/measure';
import { type MeasureDefinition, parseDefinition } from '../../src/segments/rules/named-measures';
import { aSource } from '../support/a-source';
import { type ApiClient, anApiClient, ApiClient as Client } from '../support/api-client';
import { eventually } from '../support/eventually';
import { DAY_MS, PEOPLE, pick, randomBatches, randomNumbers } from '../support/random-batches';
import { startTestService, type TestService } from '../support/test-service';

const TURNS = 40;
const ERASURES = 3;
const TOLD_BATCHES = 60;
const MAX_WAITING = 20;
const RETENTION_DAYS = 365;

const SHOES = [{ field: 'properties.category', operator: 'eq', value: 'shoes' }] as const;
const DEFINITIONS: readonly MeasureDefinition[] = [
  { event: 'Order', aggregate: 'count', within: '20d' },
  { event: 'Order', aggregate: 'sum', of: 'properties.total', where: [...SHOES], within: '20d' },
  { event: 'Order', aggregate: 'last', of: 'properties.category', within: '30d' },
  { event: 'Order', aggregate: 'unique', of: 'properties.total', within: '10d' },
  { event: 'Order', aggregate: 'max', of: 'properties.total', within: '100h' },
  { event: 'Visit', aggregate: 'count', within: '35d' },
  { event: 'Order', aggregate: 'most_frequent', of: 'properties.category', within: '25d' },
  {
    event: 'Order',
    aggregate: 'sum',
    of: 'properties.total',
    from: new Date(Date.now() - 20 * DAY_MS).toISOString(),
    to: new Date(Date.now() - 3 * DAY_MS).toISOString(),
  },
];

interface Trait {
  readonly id: string;
  readonly name: string;
}

describe('computed traits that are kept, changed and given up while events pour in', () => {
  let services: TestService[];
  let apis: ApiClient[];
  let sources: ApiClient[];
  let database: Database;
  let made = 0;

  beforeAll(async () => {
    const first = await startTestService();
    services = [first, await startTestService({ databaseUrl: first.databaseUrl })];
    const { writeKey } = await aSource(first.databaseUrl);
    apis = await Promise.all(services.map((service) => anApiClient(service)));
    sources = services.map(({ url }) => new Client(url, { authorization: `Basic ${btoa(`${writeKey}:`)}` }));
    database = first.app.get(Database);
  });
  afterAll(async () => {
    for (const service of services.toReversed()) await service.close();
  });
  afterEach(async () => {
    const { body } = await pick(apis, 0).get<{ id: string }[]>('/destinations');
    for (const { id } of body) await pick(apis, 0).delete(`/destinations/${id}`);
    await database.query('truncate delivery');
  });

  it('end with exactly the values of counting afresh: late events, repetitions, merges and erasures included', async () => {
    const random = randomNumbers(20_261_125);
    const nextBatch = randomBatches(random, 'kept');
    const traits = await createTraits('kept');
    const progress = { turns: 0, erased: 0 };
    const isEnough = (): boolean => progress.turns >= TURNS && progress.erased >= ERASURES;
    const pour = async (at: number): Promise<void> => {
      while (!isEnough()) {
        const answer = await pick(sources, at).post('/v1/batch', { batch: nextBatch() });
        expect(answer).toMatchObject({ status: 200 });
        await untilFewWait();
      }
    };
    const erase = async (): Promise<void> => {
      while (!isEnough()) {
        const { status } = await pick(apis, random(2)).delete(`/profiles/user-${random(PEOPLE)}`);
        expect([200, 404]).toContain(status);
        if (status === 200) progress.erased += 1;
      }
    };
    // Somebody needs one of them for a while, or all, or what it counts is changed.
    const turn = async (): Promise<void> => {
      for (; !isEnough(); progress.turns += 1) {
        const api = pick(apis, random(2));
        const { id, name } = pick(traits, random(traits.length));
        const isListener = random(4) === 0;
        const destinationId = await aDestination(isListener ? LISTENER : asksAbout(name));
        const { status } = await api.put(`/computed-traits/${id}`, {
          ...pick(DEFINITIONS, random(DEFINITIONS.length)),
        });
        expect([200, 409, 503]).toContain(status);
        await eventually(async () =>
          expect(await database.query('select from kept_trait where trait_id = $1', [id])).not.toEqual([]),
        );
        if (random(2) === 0) await api.delete(`/destinations/${destinationId}`);
      }
    };
    await Promise.all([turn(), turn(), erase(), pour(0), pour(1)]);
    // One more begins while the last events are on their way.
    await aDestination(LISTENER);
    await untilQuiet();
    let values = 0;
    for (const { id } of traits) values += await expectExact(id);
    expect(values).toBeGreaterThan(200);
  });

  it('tell destinations of each change once, in order, and at the end of what is', async () => {
    const random = randomNumbers(20_261_126);
    const nextBatch = randomBatches(random, 'told', 'listener');
    const traits = await createTraits('told');
    const destinationId = await aDestination(LISTENER);
    await untilQuiet();
    await database.query('truncate delivery');
    const before = new Map(await Promise.all(traits.map(async ({ id }) => [id, await kept(id)] as const)));
    const progress = { batches: 0 };
    const pour = async (at: number): Promise<void> => {
      for (; progress.batches < TOLD_BATCHES; progress.batches += 1) {
        const answer = await pick(sources, at).post('/v1/batch', { batch: nextBatch() });
        expect(answer).toMatchObject({ status: 200 });
        await untilFewWait();
      }
    };
    await Promise.all([pour(0), pour(1)]);
    await untilQuiet();
    let notices = 0;
    for (const { id, name } of traits) {
      await expectExact(id);
      const told = await toldOf(destinationId, name);
      const now = await kept(id);
      const merged = await mergedSubjects();
      for (const [subject, changes] of told) {
        const first = before.get(id)?.get(subject) ?? nothingOf(await definitionOf(id));
        expect({ subject, previous: changes.map(({ previous }) => previous) }).toEqual({
          subject,
          previous: [first, ...changes.slice(0, -1).map(({ value }) => value)],
        });
        notices += changes.length;
        if (merged.has(subject)) continue;
        expect({ subject, value: changes.at(-1)?.value }).toEqual({
          subject,
          value: now.get(subject) ?? nothingOf(await definitionOf(id)),
        });
      }
      // Nobody has another value of whom nothing was told.
      const untold = [...now].filter(
        ([subject, value]) => !told.has(subject) && before.get(id)?.get(subject) !== value,
      );
      expect(untold).toEqual([]);
    }
    expect(notices).toBeGreaterThan(300);
  });

  const LISTENER = { notices: ['trait_changed'], filter: { types: [] } };
  const asksAbout = (name: string): object => ({
    filter: { events: ['nothing'], conditions: [{ field: `computed.${name}`, operator: 'gte', value: 0 }] },
  });

  async function createTraits(prefix: string): Promise<Trait[]> {
    const traits: Trait[] = [];
    for (const [at, definition] of DEFINITIONS.entries()) {
      const trait = { name: `${prefix}_${at}`, ...definition };
      const { status, body } = await pick(apis, at).post('/computed-traits', trait);
      expect(status).toBe(201);
      traits.push(body);
    }
    return traits;
  }

  /** One that is paused: what it is told stays in the ledger. */
  async function aDestination(routing: object): Promise<string> {
    const { status, body } = await pick(apis, made).post('/destinations', {
      name: `Destination ${(made += 1)}`,
      type: 'webhook',
      config: { url: 'http://127.0.0.1:9' },
      enabled: false,
      ...routing,
    });
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.id;
  }

  async function definitionOf(traitId: string): Promise<MeasureDefinition> {
    const [row] = await database.query<{ definition: MeasureDefinition }>(
      'select definition from computed_trait where id = $1',
      [traitId],
    );
    return row?.definition as MeasureDefinition;
  }

  function nothingOf({ aggregate }: MeasureDefinition): JsonValue {
    return valueOfNothing(aggregate) ?? null;
  }

  /** The values that are not those of no events, by subject. */
  async function kept(traitId: string): Promise<Map<string, JsonValue>> {
    const nothing = nothingOf(await definitionOf(traitId));
    const rows = await database.query<{ subject: string; value: JsonValue }>(
      `select v.subject, v.value from computed_value v join kept_trait k on k.generation = v.generation
       where k.trait_id = $1 and k.state = 'live'`,
      [traitId],
    );
    return new Map(
      rows.filter(({ value }) => value !== nothing).map(({ subject, value }) => [subject, value] as const),
    );
  }

  /** Returns how many people have a value. */
  async function expectExact(traitId: string): Promise<number> {
    const definition = await definitionOf(traitId);
    const parsed = parseDefinition(definition);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors));
    const values = new SqlValues();
    const value = measureToSql(boundRange(parsed.field, RETENTION_DAYS), {
      root: 'p.subject',
      now: 'now()',
      values,
    });
    const rows = await database.query<{ subject: string; value: JsonValue }>(
      `select p.subject, to_jsonb(${value}) as value from profile p where p.merged_into is null`,
      values.params,
    );
    const nothing = nothingOf(definition);
    const expected = Object.fromEntries(
      rows.filter((row) => row.value !== nothing).map((row) => [row.subject, row.value] as const),
    );
    const found = await kept(traitId);
    expect({ definition, found: Object.fromEntries(found) }).toEqual({ definition, found: expected });
    return found.size;
  }

  /** Of each person, in the order of the times. */
  async function toldOf(
    destinationId: string,
    trait: string,
  ): Promise<Map<string, { value: JsonValue; previous: JsonValue }[]>> {
    const rows = await database.query<{ subject: string; value: JsonValue; previous: JsonValue }>(
      `select subject, payload -> 'properties' -> 'value' as value, payload -> 'properties' -> 'previous' as previous
       from delivery where destination_id = $1 and payload -> 'properties' ->> 'trait' = $2
       order by payload ->> 'timestamp', id`,
      [destinationId, trait],
    );
    const told = new Map<string, { value: JsonValue; previous: JsonValue }[]>();
    for (const { subject, ...change } of rows) told.set(subject, [...(told.get(subject) ?? []), change]);
    return told;
  }

  async function mergedSubjects(): Promise<ReadonlySet<string>> {
    const rows = await database.query<{ subject: string }>(
      'select subject from profile where merged_into is not null',
    );
    return new Set(rows.map(({ subject }) => subject));
  }

  async function untilFewWait(): Promise<void> {
    await eventually(async () =>
      expect((await database.query('select from inbox')).length).toBeLessThan(MAX_WAITING),
    );
  }

  async function untilQuiet(): Promise<void> {
    await eventually(async () => {
      expect(await database.query('select * from inbox')).toEqual([]);
      expect(
        await database.query(
          `select c.name, k.state from computed_trait c
           full join kept_trait k on k.trait_id = c.id and k.definition = c.definition
           where k.state is distinct from 'live'`,
        ),
      ).toEqual([]);
    }, 90_000);
  }
});
