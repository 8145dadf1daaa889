import { problemsText, problemText } from './problem-text';

describe('what is wrong in words', () => {
  it.each([
    ['limit', 'limit must not be less than 1', 'limit must not be less than 1'],
    ['rateLimit.perSecond', 'perSecond must be a number', 'rateLimit.perSecond must be a number'],
    ['config.auth.token', 'auth.token is needed', 'config.auth.token is needed'],
    ['sources[0]', 'sources[0] must be a UUID', 'sources[0] must be a UUID'],
    ['code', 'code: line 1: SyntaxError', 'code: line 1: SyntaxError'],
    ['rules[0].operator', 'Must be one of a, b.', 'rules[0].operator: Must be one of a, b.'],
    ['name', 'names are taken', 'name: names are taken'],
    ['from', 'from.to is wrong', 'from: from.to is wrong'],
    ['', 'the body must be an object', 'the body must be an object'],
  ])('names %s once where the message is %j', (path, message, text) => {
    expect(problemText({ path, message })).toBe(text);
  });

  it('does not take long where a client has made up a name of very many dots', () => {
    const name = '.'.repeat(1_000_000);
    expect(problemText({ path: name, message: 'Is unknown.' })).toBe(`${name}: Is unknown.`);
  });

  it('is one sentence where it is several things', () => {
    const problems = [
      { path: 'rules[0]', message: 'Is wrong.' },
      { path: 'limit', message: 'limit must not be less than 1' },
      { path: 'rules[1]', message: 'Is wrong.' },
    ];
    expect(problemsText(problems)).toBe(
      'rules[0]: Is wrong; limit must not be less than 1; rules[1]: Is wrong.',
    );
  });
});
