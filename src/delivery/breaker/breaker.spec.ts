import { Breaker } from './breaker';

function failures(
  breaker: Breaker,
  count: number,
  { isNews = true, toOpen = 5, startedAtMs = 0 } = {},
): boolean[] {
  return Array.from({ length: count }, () => breaker.onFailure({ isNews, startedAtMs }, toOpen));
}

describe('Breaker', () => {
  it('opens once, after so many first tries have failed in a row', () => {
    const breaker = new Breaker(16);
    expect(failures(breaker, 7)).toEqual([false, false, false, false, true, false, false]);
    expect(breaker.concurrency).toBe(0);
  });

  it('starts to count anew with each success', () => {
    const breaker = new Breaker(16);
    failures(breaker, 4);
    breaker.onSuccess();
    expect(failures(breaker, 4)).not.toContain(true);
    expect(breaker.concurrency).toBe(16);
  });

  it('does not count the later tries of a few deliveries', () => {
    expect(failures(new Breaker(16), 50, { isNews: false })).not.toContain(true);
  });

  it('begins again with one try at a time and doubles', () => {
    const breaker = new Breaker(16);
    failures(breaker, 5);
    breaker.close(0);
    const seen = [breaker.concurrency];
    for (let n = 0; n < 15; n += 1) {
      breaker.onSuccess();
      if (breaker.concurrency !== seen.at(-1)) seen.push(breaker.concurrency);
    }
    expect(seen).toEqual([1, 2, 4, 8, 16]);
    expect(breaker.ramping).toBe(false);
  });

  it('opens sooner while it ramps up', () => {
    const breaker = new Breaker(16);
    failures(breaker, 5);
    breaker.close(0);
    expect(failures(breaker, 3)).toEqual([false, false, true]);
  });

  it('counts later tries while it ramps up', () => {
    const breaker = new Breaker(16);
    failures(breaker, 5);
    breaker.close(0);
    expect(failures(breaker, 3, { isNews: false })).toEqual([false, false, true]);
  });

  it('opens whatever the receiver refuses between what it fails at, and never for that alone', () => {
    const breaker = new Breaker(16);
    const mixed = (): boolean[] =>
      failures(breaker, 5).map((opened) => {
        breaker.onRefusal();
        return opened;
      });
    for (let n = 0; n < 50; n += 1) breaker.onRefusal();
    expect(breaker.state).toBe('closed');
    expect(mixed()).toEqual([false, false, false, false, true]);
    breaker.close(0);
    for (let n = 0; n < 15; n += 1) breaker.onRefusal();
    expect(breaker.ramping).toBe(false);
  });

  it('takes a destination that few events go to for a healthy one, a minute after its outage', () => {
    const breaker = new Breaker(16);
    failures(breaker, 5);
    breaker.close(0);
    breaker.onSuccess();
    const late = { startedAtMs: 60_001 };
    expect(failures(breaker, 3, { ...late, isNews: false })).not.toContain(true);
    expect(failures(breaker, 5, late)).toEqual([false, false, false, false, true]);
  });

  it('learns nothing of tries that began before the destination was back', () => {
    const breaker = new Breaker(16);
    failures(breaker, 5);
    breaker.close(100);
    expect(failures(breaker, 20, { startedAtMs: 99 })).not.toContain(true);
    expect(failures(breaker, 3, { startedAtMs: 100 })).toEqual([false, false, true]);
  });

  it('opens at the second failure of batches, also of a destination that got single deliveries before', () => {
    const breaker = new Breaker(16);
    breaker.onSuccess();
    expect(failures(breaker, 2, { toOpen: 2 })).toEqual([false, true]);
    breaker.close(0);
    expect(failures(breaker, 2, { toOpen: 2 })).toEqual([false, true]);
  });
});
