import { InvalidRequestError } from '../problems/problem';
import { parseYaml } from './parse-yaml';

const repeat = (length: number, part: (index: number) => string): string =>
  Array.from({ length }, (_, index) => part(index)).join('');

function refusalOf(text: string): string {
  try {
    parseYaml(text);
  } catch (error) {
    if (error instanceof InvalidRequestError) return error.message;
    throw error;
  }
  return 'none';
}

describe('parseYaml', () => {
  it('answers plain data', () => {
    expect(parseYaml('a: &x [1, two, null]\nb: *x\nc: { yes: yes, d: 2020-01-01 }')).toEqual({
      a: [1, 'two', null],
      b: [1, 'two', null],
      c: { yes: 'yes', d: '2020-01-01' },
    });
  });

  it('resolves an alias to the last anchor before it', () => {
    expect(parseYaml('a: &x { b: 1 }\nc: *x\nd: &x [2]\ne: *x')).toMatchObject({ c: { b: 1 }, e: [2] });
    const many = `a: &a [${'{},'.repeat(900)}]\nb: [${'*a,'.repeat(100)}]`;
    expect(parseYaml(many)).toMatchObject({ b: { length: 100 } });
  });

  it.each([
    ['a: 1\nb: 2\na: 3', 'Map keys must be unique at line 3, column 1'],
    ['{a: 1, "a": 2}', 'Map keys must be unique at line 1, column 8'],
    ['x: { y: [{ a: 1, ? a : 2 }] }', 'Map keys must be unique'],
    ['a: [1', 'at line 1'],
    ['a: *nobody', 'nobody'],
    ['a: 1\n---\nb: 1', 'multiple documents'],
    ['['.repeat(50_000), 'nested too deep'],
    ['- &a x\n' + repeat(101, () => '- *a\n'), 'aliases'],
    [repeat(101, (index) => `- &a${index} x\n- *a${index}\n`), 'aliases'],
    [
      'a: &a [1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c]',
      'alias',
    ],
    ['a: &a [*a]', 'aliases'],
    [
      repeat(34, (n) => (n === 0 ? 'a0: &a0 []\n' : `a${n}: &a${n} [${`*a${n - 1},`.repeat(3)}]\n`)),
      'aliases',
    ],
    [`a: &a [${'{},'.repeat(50_000)}]\nb: [*a, *a, *a]`, 'more than 100000 values at line 2, column 9'],
  ])('refuses %#', (text, reason) => {
    expect(refusalOf(text)).toContain(reason);
  });

  it.each([
    ['keys of a map', repeat(20_000, (index) => `key${index}: 1\n`)],
    ['keys of a flow map', `{${repeat(20_000, (index) => `key${index},`)}}`],
    ['anchors and aliases', repeat(15_000, (index) => `- &a${index} x\n- *a${index}\n`)],
  ])('parses 256 KB of %s at a cost that grows with the length', (_, text) => {
    const startedAt = performance.now();
    refusalOf(text.slice(0, 256 * 1024));
    // It takes some 0.5 s. Comparing each with each other takes minutes.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
