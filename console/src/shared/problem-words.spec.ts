import { problemWords } from './problem-words';

describe('what is wrong with a member', () => {
  it.each([
    ['name', 'name must be a letter', 'Must be a letter'],
    ['rules[0].to', 'Must be after from.', 'Must be after from.'],
    ['of', 'of goes with every aggregate but count.', 'Goes with every aggregate but count.'],
    ['name', 'names are unique', 'names are unique'],
    ['code', 'code: line 1: SyntaxError', 'Line 1: SyntaxError'],
    ['', ' is missing', ' is missing'],
  ])('is said without its name: %s: %s', (path, message, words) => {
    expect(problemWords({ path, code: 'invalid', message })).toBe(words);
  });

  it('is said without an id where another one has the name', () => {
    const message = 'the source 0190a000 has it already; ?allowDuplicate=true takes it all the same';
    expect(problemWords({ path: 'name', code: 'name_taken', message })).toBe('Another one has this name.');
  });
});
