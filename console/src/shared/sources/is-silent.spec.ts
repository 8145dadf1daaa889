import { isSilent } from './is-silent';

const NOW_MS = Date.parse('2026-11-29T12:00:00Z');

describe('isSilent', () => {
  it.each([
    ['has sent something within its time', 60, '2026-11-29T11:00:00Z', false],
    ['has sent nothing for longer', 60, '2026-11-29T10:59:59Z', true],
    ['may be silent for as long as it likes', null, '2020-01-01T00:00:00Z', false],
    ['has never sent anything', 60, null, false],
  ])('of a source that %s', (_of, silentAfterMinutes, lastEventAt, expected) => {
    expect(isSilent({ silentAfterMinutes, lastEventAt }, NOW_MS)).toBe(expected);
  });
});
