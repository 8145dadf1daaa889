import { readRules } from './read-rules';
import { rulePlaceWords } from './rule-place-words';

const sequence = {
  sequence: [{ event: 'a' }, { event: 'b' }],
  not: { event: 'c', within: '1d' },
  within: '3d',
};
const RULES = [
  { event: 'a', within: '3d', operator: 'gte', value: 1 },
  { match: 'any', rules: [{ field: 'plan', operator: 'exists' }, sequence] },
  { field: 'computed.paid', operator: 'exists' },
];

describe('a place in the rules', () => {
  it.each([
    ['rules[0].to', 'Rule 1, Before'],
    ['rules[0].where[1].value', 'Rule 1, Condition 2, Value'],
    ['rules[1]', 'Group 2'],
    ['rules[1].rules[0].field', 'Rule 2.1, Name or path'],
    ['rules[1].rules[1].within', 'Sequence 2.2, In the last'],
    ['rules[1].rules[1].not.within', 'Sequence 2.2, What does not follow, Within'],
    ['rules[2].field', 'Rule 3, Which one'],
    ['name', 'Name'],
    ['rules[9].to', 'rules[9], Before'],
  ])('is called as in the builder: %s', (path, words) => {
    const group = readRules(RULES, 'all');
    expect(group && rulePlaceWords(path, group)).toBe(words);
  });
});
