import type { ConfigSchema } from './config-labels';
import { destinationPlaceWords } from './field-labels';
import { filterDraftOf } from './filter/filter-draft';

const SCHEMA: ConfigSchema = {
  properties: {
    url: { type: 'string' },
    headers: { type: 'object', additionalProperties: { type: 'string' } },
    auth: {
      oneOf: [{ properties: { type: {} } }, { properties: { type: {}, tokenUrl: { type: 'string' } } }],
    },
    batch: { type: 'object', properties: { maxEvents: { type: 'integer' } } },
    topics: { type: 'array' },
  },
};

describe('destinationPlaceWords', () => {
  it.each([
    ['name', 'Name'],
    ['sources[1]', 'Sources'],
    ['filter', 'Filter'],
    ['filter.evnts', 'Filter, evnts'],
    ['filter.types[0]', 'Filter, Types of events'],
    ['filter.events[2]', 'Filter, Events'],
    ['filter.conditions[1].operator', 'Filter, Condition 2, Operator'],
    ['filter.conditions[1].field', 'Filter, Condition 2, Path in the event'],
    ['rateLimit.perSecond', 'Rate limit'],
    ['order', 'Order'],
    ['order.maxWaiting', 'Wait at most'],
    ['config.url', 'URL'],
    ['config.headers', 'Headers'],
    ['config.headers.X-Gateway.Key', 'Headers, X-Gateway.Key'],
    ['config.auth.type', 'Kind of auth'],
    ['config.auth.tokenUrl', 'Auth, Token URL'],
    ['config.batch.maxEvents', 'Batch, Max events'],
    ['config.topics[0]', 'Topics, [0]'],
  ])('calls %s %s', (path, words) => {
    expect(destinationPlaceWords(path, SCHEMA, filterDraftOf(null))).toBe(words);
  });

  it('calls a place in a filter as the service does, where that is written as JSON', () => {
    const words = destinationPlaceWords('filter.conditions[1].operator', SCHEMA, { view: 'json', text: '' });
    expect(words).toBe('Filter, conditions[1].operator');
  });

  it.each(['', 'enabled', 'config', 'config.else'])('has no word for %j, which has no field', (path) => {
    expect(destinationPlaceWords(path, SCHEMA, filterDraftOf(null))).toBeUndefined();
  });
});
