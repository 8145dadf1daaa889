import { Linger } from './linger';

/** Requests one after the other, so far apart. */
function requests(linger: Linger, count: number, gapMs: number, fromMs = 0): number {
  for (let n = 1; n <= count; n += 1) linger.noteRequest(fromMs + n * gapMs);
  return fromMs + count * gapMs;
}

describe('a group commit that may wait for others', () => {
  it('waits for nobody at first', () => {
    const linger = new Linger();
    linger.noteRequest(0);
    expect(linger.nextGroup()).toBe(1);
  });

  it.each([
    [50, 1],
    [10, 1],
    [4, 2],
    [1.9, 4],
    [0.5, 1],
  ])('where a request comes every %d ms has %d of them', (gapMs, wanted) => {
    const linger = new Linger();
    requests(linger, 200, gapMs);
    expect(linger.nextGroup()).toBe(wanted);
  });

  it('waits for nobody after a pause', () => {
    const linger = new Linger();
    const nowMs = requests(linger, 200, 4);
    requests(linger, 10, 1_000, nowMs);
    expect(linger.nextGroup()).toBe(1);
  });

  it('waits for nobody while who sends waits for the answers, but for some tries now and then', () => {
    const linger = new Linger();
    const waits = { some: 0, none: 0 };
    let nowMs = requests(linger, 200, 3);
    for (let group = 0; group < 1_000; group += 1) {
      const wanted = linger.nextGroup();
      if (wanted > 1) linger.noteGroup(1, wanted);
      waits[wanted > 1 ? 'some' : 'none'] += 1;
      nowMs += wanted > 1 ? 3 + linger.maxMs : 3;
      linger.noteRequest(nowMs);
    }
    expect(waits.some).toBeLessThan(100);
  });

  it('goes on waiting where most of those that were waited for come', () => {
    const linger = new Linger();
    requests(linger, 200, 4);
    for (let group = 0; group < 1_000; group += 1) {
      expect(linger.nextGroup()).toBe(2);
      linger.noteGroup(group % 3 === 0 ? 1 : 2, 2);
    }
  });
});
