import { destinationsThatName, segmentsThatName } from './who-names';

const rule = { field: 'computed.paid', operator: 'gt', value: 1 };

describe('who names a computed trait', () => {
  it('are segments that have it in a rule, however deep', () => {
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

  it('are destinations that have it in a condition of their filters, or name it for notices', () => {
    const destinations = [
      { name: 'asking', filter: { conditions: [{ field: 'type', operator: 'exists' }, rule] } },
      { name: 'another', filter: { conditions: [{ ...rule, field: 'computed.paid_twice' }] } },
      { name: 'no conditions', filter: { types: ['track'] } },
      { name: 'no filter', filter: null },
      { name: 'told', filter: null, noticeTraits: ['orders', 'paid'] },
      { name: 'told of another', filter: null, noticeTraits: ['paid_twice'] },
    ].map((destination) => ({ noticeTraits: null, ...destination }));
    expect(destinationsThatName('paid', destinations).map(({ name }) => name)).toEqual(['asking', 'told']);
  });
});
