import { segmentsThatName } from './segments-that-name';

const rule = { field: 'computed.paid', operator: 'gt', value: 1 };

describe('the segments that name a computed trait', () => {
  it('are those that have it in a rule, however deep', () => {
    const segments = [
      { name: 'flat', rules: [{ field: 'plan', operator: 'exists' }, rule] },
      { name: 'deep', rules: [{ not: true, rules: [{ rules: [rule] }] }] },
      { name: 'a trait of this name', rules: [{ ...rule, field: 'traits.computed.paid' }] },
      { name: 'a longer name', rules: [{ ...rule, field: 'computed.paid_twice' }] },
      { name: 'a sequence', rules: [{ sequence: [{ event: 'a' }, { event: 'b' }], within: '3d' }] },
      { name: 'a number of events', rules: [{ event: 'a', operator: 'gt', value: 1 }] },
      { name: 'everybody', rules: [] },
    ];
    expect(segmentsThatName('paid', segments).map(({ name }) => name)).toEqual(['flat', 'deep']);
  });
});
