import { parseFilter } from './parse-filter';

const SEGMENT = '0190a1b2-0000-7000-8000-000000000001';

describe('parseFilter', () => {
  it('takes everything a filter may have', () => {
    const result = parseFilter({
      types: ['track', 'page'],
      events: ['Order *', 'Signed Up'],
      match: 'any',
      conditions: [
        { field: 'properties.amount', operator: 'gte', value: 100 },
        { field: 'context.page.url', operator: 'exists' },
      ],
      segments: [SEGMENT.toUpperCase()],
    });
    expect(result).toEqual({
      ok: true,
      filter: {
        types: ['track', 'page'],
        events: ['Order *', 'Signed Up'],
        match: 'any',
        conditions: [
          { path: ['properties', 'amount'], operator: 'gte', comparand: { kind: 'value', value: 100 } },
          { path: ['context', 'page', 'url'], operator: 'exists', comparand: { kind: 'none' } },
        ],
        segments: [SEGMENT],
      },
    });
  });

  it('takes an empty filter, which restricts nothing', () => {
    expect(parseFilter({})).toMatchObject({ ok: true, filter: { conditions: [] } });
  });

  it('takes no types at all, for a destination that gets notices only', () => {
    expect(parseFilter({ types: [] })).toMatchObject({ ok: true, filter: { types: [] } });
  });

  it.each([
    [null, 'filter', 'invalid_filter'],
    [{ type: ['track'] }, 'filter.type', 'unknown_field'],
    [{ types: 'track' }, 'filter.types', 'invalid_list'],
    [{ events: [] }, 'filter.events', 'invalid_list'],
    [{ types: ['track', 'tracks'] }, 'filter.types[1]', 'unknown_type'],
    [{ events: ['a', ''] }, 'filter.events[1]', 'invalid_name'],
    [{ events: Array.from({ length: 201 }, () => 'a') }, 'filter.events', 'too_many'],
    [{ match: 'none' }, 'filter.match', 'invalid_match'],
    [{ segments: ['vip'] }, 'filter.segments[0]', 'invalid_segment'],
    [{ conditions: ['a'] }, 'filter.conditions[0]', 'invalid_condition'],
    [{ events: ['a\0'] }, 'filter.events[0]', 'invalid_name'],
    [{ events: ['\ud800'] }, 'filter.events[0]', 'invalid_name'],
    [{ conditions: [{ field: 'a', value: 1 }] }, 'filter.conditions[0].operator', 'required'],
    [{ conditions: [{ field: 'a..b', operator: 'exists' }] }, 'filter.conditions[0].field', 'invalid_field'],
    [{ conditions: [{ operator: 'exists' }] }, 'filter.conditions[0].field', 'invalid_field'],
    [
      {
        conditions: [
          { field: 'a', operator: 'eq', value: 1 },
          { field: 'a', operator: 'equals', value: 1 },
        ],
      },
      'filter.conditions[1].operator',
      'unknown_operator',
    ],
    [
      { conditions: [{ field: 'a', operator: 'eq', value: { b: Infinity } }] },
      'filter.conditions[0].value',
      'invalid_value',
    ],
    [
      { conditions: [{ field: 'a', operator: 'gt', value: {} }] },
      'filter.conditions[0].value',
      'invalid_value',
    ],
    [{ conditions: [{ field: 'a', operator: 'gt' }] }, 'filter.conditions[0].value', 'invalid_value'],
    [
      { conditions: [{ field: 'a', operator: 'in', value: [] }] },
      'filter.conditions[0].value',
      'invalid_value',
    ],
    [
      { conditions: [{ field: 'a', operator: 'exists', path: 'b' }] },
      'filter.conditions[0].path',
      'unknown_field',
    ],
  ])('refuses %j at %s', (filter, path, code) => {
    expect(parseFilter(filter)).toMatchObject({ ok: false, errors: [{ path, code }] });
  });
});
