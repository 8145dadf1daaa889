import { linesOf } from './client-failure';

it('tells no terminal what is wrong in words that it obeys', () => {
  expect(linesOf('a.json', [{ path: 'rules[0]', message: 'of "A\n\u001B[2J"' }])).toBe(
    'a.json\n  rules[0]: of "A\\n\\u001b[2J"',
  );
});
