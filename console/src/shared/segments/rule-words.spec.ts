import { AGGREGATES } from '../../../../src/segments/rules/measure';
import { groupWords, type Rule, ruleWords, type SequenceRule, soughtWords } from './rule-words';

const nameOf = (id: string): string => (id === 's1' ? 'Gold' : id);

describe('a rule in words', () => {
  it.each<[Rule | SequenceRule, string]>([
    [{ field: 'plan', operator: 'eq', value: 'gold' }, 'plan is "gold"'],
    [{ field: 'constructor', operator: 'not_exists' }, 'constructor is not there'],
    [{ field: 'groups.plan', operator: 'in', value: ['a', 1] }, 'groups.plan is one of ["a",1]'],
    [
      { field: 'event_count', event: 'Paid', type: 'track', within: '30d', operator: 'gte', value: 3 },
      'Number of events of "Paid" of type track in the last 30d is at least 3',
    ],
    [
      {
        event: 'Paid',
        where: [
          { field: 'properties.category', operator: 'eq', value: 'shoes' },
          { field: 'properties.code', operator: 'exists' },
        ],
        aggregate: 'sum',
        of: 'properties.total',
        within: '30d',
        operator: 'gte',
        value: 500,
      },
      'Sum of properties.total in events of "Paid" where properties.category is "shoes" and properties.code is there, in the last 30d is at least 500',
    ],
    [
      { event: 'Paid', from: '2026-11-01', to: '2026-12-01', operator: 'gte', value: 3 },
      'Number of events of "Paid" from 2026-11-01 on and before 2026-12-01 is at least 3',
    ],
    [
      { event: 'Paid', to: '2026-12-01T12:00Z', operator: 'eq', value: 0 },
      'Number of events of "Paid" before 2026-12-01T12:00Z is 0',
    ],
    [
      { sequence: [{ event: 'Paid' }, { event: 'Left' }], from: '2026-11-01', to: '2026-12-01' },
      '"Paid", then "Left", the first from 2026-11-01 on and before 2026-12-01',
    ],
    [{ field: 'last_seen', operator: 'lt', value: '30d' }, 'Last seen is before 30d ago'],
    [{ field: 'first_seen', operator: 'gte', value: '2026-01-31' }, 'First seen is not before "2026-01-31"'],
    [{ field: 'segments', operator: 'contains', value: 's1' }, 'Other segments contains "Gold"'],
    [
      {
        sequence: [
          { event: 'Product Added', where: [{ field: 'properties.price', operator: 'gt', value: 5 }] },
          { event: 'Checkout', type: 'page', within: '1d' },
        ],
        not: { event: 'Order Completed', within: '2d' },
        within: '30d',
      },
      '"Product Added" where properties.price is more than 5, then within 1d "Checkout" of type page, then within 2d no "Order Completed", the first in the last 30d',
    ],
    [
      {
        sequence: [{ event: 'Signed Up' }, { event: 'Upgraded' }],
        allWithin: '7d',
        not: { event: 'Left', within: '2d' },
        within: '30d',
      },
      '"Signed Up", then "Upgraded", all within 7d, then within 2d no "Left", the first in the last 30d',
    ],
    [{ field: 'plan', operator: 'rhymes_with', value: 'x' }, 'plan rhymes_with "x"'],
  ])('has no codes: %j', (rule, words) => {
    expect(ruleWords(rule, nameOf)).toBe(words);
  });

  it.each(AGGREGATES.filter((aggregate) => aggregate !== 'count'))('knows %s', (aggregate) => {
    const rule = { event: 'Paid', aggregate, of: 'properties.brand', within: '30d', operator: 'exists' };
    expect(ruleWords(rule, nameOf)).toMatch(
      /^[A-Z][a-z ]+ of properties\.brand in events of "Paid" in the last 30d is there$/,
    );
  });

  it.each<[readonly string[], string]>([
    [['sequence[0]'], '"Added" as step 1'],
    [['sequence[1]'], '"Paid" as step 2'],
    [['not'], '"Paid" as what does not follow'],
    [['sequence[1]', 'not'], '"Paid" as step 2 and what does not follow'],
    [['newer'], 'as newer'],
  ])('names the event of a sequence, and its step: %j', (members, words) => {
    const rule = { sequence: [{ event: 'Added' }, { event: 'Paid' }], not: { event: 'Paid' }, within: '3d' };
    expect(soughtWords(members, rule)).toBe(words);
  });

  it('says what is asked of a group', () => {
    expect(groupWords({ match: 'any', not: true })).toBe('not any of these');
    expect(groupWords({ match: 'all' })).toBe('all of these');
  });
});
