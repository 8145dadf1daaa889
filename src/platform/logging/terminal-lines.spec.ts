import { TerminalLines } from './terminal-lines';

describe('TerminalLines', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('writes ten lines a second and the number of the others', () => {
    const written: string[] = [];
    const lines = new TerminalLines((line) => written.push(line), true);
    for (let number = 1; number <= 13; number += 1) lines.tell(() => `line ${number}`);
    expect(written).toHaveLength(10);
    jest.advanceTimersByTime(1_000);
    expect(written.at(-1)).toBe('… and 3 more like these');
    lines.tell(() => 'the next second');
    expect(written.at(-1)).toBe('the next second');
  });

  it('does not even make a line when it is not enabled', () => {
    const line = jest.fn();
    new TerminalLines(() => undefined, false).tell(line);
    expect(line).not.toHaveBeenCalled();
  });
});
