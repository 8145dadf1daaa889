import * as fc from 'fast-check';
import { parseFilter } from '../../../../../src/destinations/filter/parse-filter';
import { EVENT_TYPES } from '../../../../../src/events/customer-event';
import { randomCondition } from '../../../../../test/support/random-event-rules';
import { newCondition } from '../../../shared/segments/events/event-test-draft';
import { type Filter, filterDraftOf, filterOf, type FilterParts, missingInFilter } from './filter-draft';

const randomFilter = fc.record(
  {
    types: fc.subarray([...EVENT_TYPES]),
    events: fc.array(fc.constantFrom('Order *', 'Paid', 'a, b', '*'), { minLength: 1, maxLength: 3 }),
    match: fc.constantFrom('all', 'any'),
    conditions: fc.array(randomCondition, { maxLength: 3 }),
    segments: fc.array(fc.uuid(), { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: [] },
);

function partsOf(filter: Filter): FilterParts | undefined {
  const draft = filterDraftOf(filter);
  return draft.view === 'builder' ? draft.built : undefined;
}

/** What a filter lets pass, whatever way that is written. */
function meaningOf(filter: Filter): string {
  const parsed = parseFilter(filter ?? {});
  if (!parsed.ok) return JSON.stringify(parsed);
  const { types = EVENT_TYPES, match, conditions } = parsed.filter;
  const among = conditions.length > 1 ? match : 'all';
  return JSON.stringify({
    ...parsed.filter,
    types: EVENT_TYPES.filter((type) => types.includes(type)),
    match: among,
  });
}

describe('the filter of a destination as it is edited', () => {
  it('says the same after it was read and written, whatever it is', () => {
    fc.assert(
      fc.property(randomFilter, (filter) => {
        fc.pre(parseFilter(filter).ok);
        const draft = filterDraftOf(JSON.parse(JSON.stringify(filter)));
        expect(draft.view).toBe('builder');
        const written = filterOf(draft);
        expect(written).toBeDefined();
        expect(meaningOf(written ?? null)).toBe(meaningOf(filter));
      }),
      { numRuns: 1_000 },
    );
  });

  it('is none where nothing restricts it', () => {
    expect(filterOf(filterDraftOf(null))).toBeNull();
    expect(filterOf(filterDraftOf({ match: 'any', conditions: [] }))).toBeNull();
    expect(filterOf(filterDraftOf({ types: [] }))).toEqual({ types: [] });
  });

  it('is not complete while a condition is not, and says what is missing', () => {
    const parts = partsOf(null);
    const draft = { view: 'builder', built: { ...parts!, conditions: [newCondition()] } } as const;
    expect(filterOf(draft)).toBeUndefined();
    expect(missingInFilter(draft)).toEqual(['Condition 1, Path in the event']);
  });

  it.each([
    { evnts: 1 },
    { types: ['nonsense'] },
    { events: 'Paid' },
    { conditions: [{ field: 'a', operator: 'eq' }] },
    { match: 'none' },
    { segments: [1] },
  ])('is JSON where the builder cannot show it: %j', (filter) => {
    expect(filterDraftOf(filter)).toEqual({ view: 'json', text: JSON.stringify(filter, undefined, 2) });
    expect(filterOf(filterDraftOf(filter))).toEqual(filter);
  });

  it('is no filter while its JSON is none', () => {
    expect(filterOf({ view: 'json', text: '{"events": [' })).toBeUndefined();
    expect(filterOf({ view: 'json', text: '[]' })).toBeUndefined();
    expect(filterOf({ view: 'json', text: '' })).toBeNull();
  });
});
