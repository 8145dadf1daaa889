import { changesConfiguration } from './audited-actions';

describe('changesConfiguration', () => {
  it.each<[string, string, boolean]>([
    ['source', 'rotate_write_key', true],
    ['tracking_plan', 'update', true],
    ['destination', 'pause', true],
    ['destination', 'test', false],
    ['queue', 'pause', false],
    ['delivery', 'discard', false],
    ['quarantine', 'release', false],
    ['configuration', 'apply', false],
    ['segment', 'of another release', false],
    ['of another release', 'update', false],
  ])('knows of %s %s', (resource, action, expected) => {
    expect(changesConfiguration(resource, action)).toBe(expected);
  });
});
