import { ThrottledWarning } from './throttled-warning';

describe('a warning of an outage', () => {
  let lines: string[];
  let now: number;
  let warning: ThrottledWarning;

  beforeEach(() => {
    lines = [];
    now = 0;
    const say = (line: string): void => void lines.push(line);
    warning = new ThrottledWarning({ warn: say, log: say }, () => now);
  });

  it('is said at once, and then every ten seconds with the number of those left out', () => {
    for (now = 0; now <= 10_000; now += 1_000) warning.warn(`down at ${now}`);
    expect(lines).toEqual(['down at 0', 'down at 10000 (and 9 more like it)']);
  });

  it('is followed by one line when it is over', () => {
    warning.over('up');
    warning.warn('down');
    warning.over('up');
    warning.over('up');
    expect(lines).toEqual(['down', 'up']);
  });

  it('does not count what was left out of an outage that is over', () => {
    warning.warn('down');
    warning.warn('down');
    warning.over('up');
    now = 10_000;
    warning.warn('down');
    expect(lines).toEqual(['down', 'up', 'down']);
  });

  it('is at most two lines in ten seconds where it comes and goes', () => {
    for (now = 0; now <= 10_000; now += 1_000) {
      warning.warn('down');
      warning.over('up');
    }
    expect(lines).toEqual(['down', 'up', 'down (and 9 more like it)', 'up']);
  });
});
