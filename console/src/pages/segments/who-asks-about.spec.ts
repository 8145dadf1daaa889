import { destinationsThatAsk, segmentsThatAsk } from './who-asks-about';

const ID = '0197b0a0-0000-7000-8000-00000000000a';
const IS_IN = { field: 'segments', operator: 'contains', value: ID };
const OTHER = { ...IS_IN, value: ID.replace(/a$/, 'b') };

describe('who asks about a segment', () => {
  it.each([
    ['a rule', [IS_IN], true],
    ['a rule that it is not', [{ ...IS_IN, operator: 'not_contains' }], true],
    ['a rule in capitals', [{ ...IS_IN, value: ID.toUpperCase() }], true],
    ['a rule in a group of a group', [OTHER, { match: 'any', rules: [{ rules: [IS_IN] }] }], true],
    ['rules of others', [OTHER, { field: 'plan', operator: 'eq', value: ID }], false],
    ['events one after another', [{ sequence: [{ event: 'A' }, { event: 'B' }] }], false],
    ['no rules', [], false],
  ])('are segments with %s', (_, rules, asks) => {
    expect(segmentsThatAsk(ID, [{ rules }])).toHaveLength(asks ? 1 : 0);
  });

  it.each([
    [{ segments: [OTHER.value, ID] }, true],
    [{ segments: [OTHER.value] }, false],
    [{ types: ['track'] }, false],
    [null, false],
  ])('are destinations with the filter %j: %p', (filter, asks) => {
    expect(destinationsThatAsk(ID, [{ filter }])).toHaveLength(asks ? 1 : 0);
  });
});
