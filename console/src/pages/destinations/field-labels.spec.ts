import type { ConfigSchema } from './config-labels';
import { destinationPlaceWords } from './field-labels';

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
    ['filter', 'Filter as JSON'],
    ['filter.evnts', 'Filter as JSON, evnts'],
    ['filter.conditions[1].operator', 'Filter as JSON, conditions[1].operator'],
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
    expect(destinationPlaceWords(path, SCHEMA)).toBe(words);
  });

  it.each(['', 'enabled', 'config', 'config.else'])('has no word for %j, which has no field', (path) => {
    expect(destinationPlaceWords(path, SCHEMA)).toBeUndefined();
  });
});
