import { RestingReplays } from './resting-replays';

describe('RestingReplays', () => {
  it.each([
    [10, 1_000],
    [24_000, 48_000],
  ])('has one whose step failed after %j ms rest for %j ms', (tookMs, restMs) => {
    let nowMs = 5;
    const resting = new RestingReplays(() => nowMs);
    resting.rest('one', tookMs);
    nowMs += restMs - 1;
    expect(resting.ids).toEqual(['one']);
    nowMs += 1;
    expect(resting.ids).toEqual([]);
  });
});
