import * as fc from 'fast-check';
import { diffLines } from './diff-lines';

const written = (before: string, after: string): string[] =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', removed: '-', added: '+' }[kind]}${text}`);

describe('what is different between two texts', () => {
  it.each([
    ['nothing', 'a\nb', 'a\nb', [' a', ' b']],
    ['a line in between', 'a\nc', 'a\nb\nc', [' a', '+b', ' c']],
    ['a line that is gone', 'a\nb\nc', 'a\nc', [' a', '-b', ' c']],
    ['another line', 'a\nb\nc', 'a\nx\nc', [' a', '-b', '+x', ' c']],
    ['a line twice', 'a\na', 'a', [' a', '-a']],
    ['two places', 'a\nb\nc\nd', 'x\nb\nc\ny', ['-a', '+x', ' b', ' c', '-d', '+y']],
  ])('finds %s', (_, before, after, lines) => {
    expect(written(before, after)).toEqual(lines);
  });

  it('has all lines of both, in their order', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = diffLines(before, after);
        const without = (left: string): string =>
          lines.flatMap((line) => (line.kind === left ? [] : [line.text])).join('\n');
        expect([without('added'), without('removed')]).toEqual([before, after]);
      }),
    );
  });

  it('lays nothing side by side that is too large for it', () => {
    const lines = diffLines('a\n'.repeat(30_000), 'b\n'.repeat(30_000));
    expect(lines).toHaveLength(60_001);
    expect(lines[0]).toEqual({ kind: 'removed', text: 'a' });
  });
});
