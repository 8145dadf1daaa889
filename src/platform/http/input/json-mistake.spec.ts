import { jsonMistake } from './json-mistake';

describe('what is wrong with JSON', () => {
  it.each([
    ['{"name":"x",}', 'Expected double-quoted property name at line 1, column 13.'],
    ['{\n  "name": x\n}', 'Unexpected character at line 2, column 11.'],
    ['{"a":[1,2,\n tru, "a secret that is not told"]}', 'Unexpected character at line 2, column 5.'],
    ['abc', 'Unexpected character at line 1, column 1.'],
    ['{"a":1}x', 'Unexpected non-whitespace character after JSON at line 1, column 8.'],
    ['{"a":"q\n"}', 'Bad control character in string literal at line 1, column 8.'],
    ['[1,', 'It ends too early.'],
    ['{"a":', 'It ends too early.'],
  ])('says where %j is broken', (text, mistake) => {
    expect(jsonMistake(text)).toBe(`The body is not valid JSON. ${mistake}`);
  });

  it.each(['', ' \n'])('says that %j is empty', (text) => {
    expect(jsonMistake(text)).toBe('The body is empty: send JSON.');
  });

  it('does not look for the place in a text that is long', () => {
    const text = `${' '.repeat(70_000)}x`;
    expect(jsonMistake(text)).toBe('The body is not valid JSON. Unexpected character.');
  });

  it('finds a character that is out of place wherever it is', () => {
    const text = JSON.stringify({ a: [1, { b: 'c', d: [true, null, -1.5e3] }], e: 'f"g' });
    for (let at = 0; at < text.length; at += 1) {
      if (!/[[:,]/.test(text[at] ?? '') || !/["tn\-\d[{]/.test(text[at + 1] ?? '')) continue;
      const broken = `${text.slice(0, at + 1)}?${text.slice(at + 1)}`;
      expect(jsonMistake(broken)).toMatch(new RegExp(` at line 1, column ${at + 2}\\.$`));
    }
  });
});
