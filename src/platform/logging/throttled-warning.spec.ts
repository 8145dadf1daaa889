import { ThrottledWarning } from './throttled-warning';

it('says the first warning at once and counts those of the next ten seconds', () => {
  const lines: string[] = [];
  let now = 0;
  const warning = new ThrottledWarning({ warn: (line: string) => void lines.push(line) }, () => now);
  for (now = 0; now <= 10_000; now += 1_000) warning.warn(`down at ${now}`);
  expect(lines).toEqual(['down at 0', 'down at 10000 (and 9 more like it)']);
});
