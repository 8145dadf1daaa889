import { type ActiveGeneration, activeGenerations } from '../definitions/active-generation';
import { peopleOfStep, portionOf, splitByCost } from './divide-work';
import type { PersonWork } from './update-people';

const DAY_MS = 24 * 60 * 60_000;

function generationsOf(...rules: object[]): ActiveGeneration[] {
  const segments = rules.map((rule, index) => ({
    id: `s-${index}`,
    name: `S ${index}`,
    match: 'all' as const,
    rules: [rule],
    generation: index,
    liveGeneration: index,
    liveMatch: null,
    liveRules: null,
    computing: false,
    toldGeneration: null,
    traits: null,
  }));
  return activeGenerations(segments, 90);
}

const orders = {
  event: 'Order',
  aggregate: 'sum',
  of: 'properties.total',
  within: '30d',
  operator: 'gte',
  value: 5,
};
const seldom = { field: 'event_count', within: '60d', operator: 'lt', value: 5 };
const named = { field: 'event_count', event: 'Order', within: '60d', operator: 'lt', value: 5 };
const namedAs = (event: string): object => ({ ...named, event, within: '90d' });
const NAMES = Array.from({ length: 20 }, (_, n) => (n === 0 ? 'Order' : `E ${n}`));
/** 11 µs for each event of a person. */
const follows = (event: string): object => ({ sequence: [{ event }, { event: 'Paid' }], within: '30d' });
const rich = { field: 'plan', operator: 'eq', value: 'rich' };

function someone(subject: string, eventCount: number, generations: readonly ActiveGeneration[]): PersonWork {
  const total = { count: eventCount / 20, firstAt: '', lastAt: '' };
  const eventTotals = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [n === 0 ? 'Order' : `E ${n}`, total]),
  );
  const firstSeenAt = new Date(Date.now() - 365 * DAY_MS).toISOString();
  const facts = {
    subject,
    traits: {},
    groups: [],
    eventCount,
    eventTotals,
    firstSeenAt,
    lastSeenAt: firstSeenAt,
  };
  return { facts: facts as PersonWork['facts'], generations, traits: [] };
}

const many = (count: number, events: number, generations: readonly ActiveGeneration[]): PersonWork[] =>
  Array.from({ length: count }, (_, n) => someone(`u:${n}`, events, generations));
const names = (work: PersonWork): string[] => work.generations.map(({ segmentId }) => segmentId);
const withSome = (work: readonly PersonWork[]): number =>
  work.filter(({ generations }) => generations.length > 0).length;

describe('what is evaluated at once', () => {
  it.each([
    ['few people with some events', many(100, 500, generationsOf(orders, seldom, rich))],
    ['many people whose definitions read nothing', many(1_000, 50_000, generationsOf(rich))],
    ['many people with counts per day of one name', many(1_000, 50_000, generationsOf(named))],
  ])('is everything of %s', (_, work) => {
    expect(splitByCost(work)).toEqual({ atOnce: work, later: [] });
  });

  it('is not what reads the events of somebody with very many', () => {
    const [ada] = many(1, 100_000, generationsOf(orders, named, rich));
    const { atOnce, later } = splitByCost([ada!]);
    expect([atOnce.map(names), later.map(names)]).toEqual([[['s-1', 's-2']], [['s-0']]]);
  });

  it.each([
    ['events', orders],
    ['counts per day', seldom],
  ])('is not what reads %s of very many people with many, of whom it is some', (_, rule) => {
    const work = many(1_000, 4_500, generationsOf(rule, rich));
    const { atOnce, later } = splitByCost(work);
    expect(atOnce.every((each) => names(each).includes('s-1'))).toBe(true);
    expect(later.every((each) => names(each).join() === 's-0')).toBe(true);
    const left = atOnce.filter((each) => names(each).includes('s-0')).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(250);
    expect(left + later.length).toBe(1_000);
  });

  it('is not what reads counts per day of many names of very many people, in one definition or in several', () => {
    const several = NAMES.map((event) => namedAs(event));
    for (const generations of [
      generationsOf({ match: 'any', rules: several }, rich),
      generationsOf(...several, rich),
    ]) {
      const { later } = splitByCost(many(1_000, 2_000, generations));
      expect(later.length).toBeGreaterThan(0);
      expect(later.every((each) => each.generations.length > 0)).toBe(true);
    }
  });

  it('is not what looks for sequences of all in the events of all, if each of them takes little alone', () => {
    const sequences = generationsOf(...NAMES.map(follows));
    const work = sequences.flatMap((sequence, n) =>
      Array.from({ length: 20 }, (_, person) => someone(`u:${n} ${person}`, 200, [sequence])),
    );
    const { later } = splitByCost(work);
    expect(later.length).toBeGreaterThan(0);
    expect(splitByCost(work.filter(({ generations }) => generations[0] === sequences[0])).later).toEqual([]);
    expect(withSome(portionOf(work, (due) => due))).toBeLessThan(100);
  });

  it('is the lightest people first', () => {
    const generations = generationsOf(orders);
    const light = many(100, 100, generations);
    const { later } = splitByCost([...many(100, 30_000, generations), ...light]);
    expect(later.length).toBeGreaterThan(0);
    expect(later.some(({ facts }) => facts.eventCount === 100)).toBe(false);
  });

  it('is of the members of a group all that is asked of somebody, whose parts nothing remembers', () => {
    const computing = generationsOf(orders).map((each) => ({ ...each, phase: 'computing' as const }));
    const [ada] = many(1, 100_000, [...generationsOf(named), ...computing]);
    const { atOnce, later } = splitByCost([ada!]);
    expect(later.flatMap(({ generations }) => generations)).toEqual([]);
    expect(peopleOfStep(atOnce)).toEqual(atOnce);
    expect(peopleOfStep(many(500, 4_500, generationsOf(seldom))).length).toBeLessThan(100);
  });

  it('is of what is due as much as a step may take, counts per day included', () => {
    const work = many(500, 4_500, generationsOf(seldom));
    const portion = portionOf(work, (due) => due);
    expect(withSome(portion)).toBeGreaterThan(0);
    expect(withSome(portion)).toBeLessThan(100);
  });
});
