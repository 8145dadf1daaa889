import { demandType, linesOf, RefusedError } from './client-failure';

const saysOf = (answer: unknown): string =>
  new RefusedError('https://cdp.test', 403, typeof answer === 'string' ? answer : JSON.stringify(answer))
    .message;

describe('an answer that is a refusal', () => {
  it('is told by what is wrong, each with its place', () => {
    const errors = [{ path: 'sources[0].name', code: 'too_long', message: 'is too long' }];
    expect(saysOf({ code: 'invalid_request', message: 'All of it.', errors })).toBe(
      'https://cdp.test answered 403: invalid_request\n  sources[0].name: is too long',
    );
    expect(saysOf({ code: 'missing_scope', message: 'Needs cdp:write.' })).toContain(
      'Needs cdp:write. (missing_scope)',
    );
  });

  it('says what was applied, and which change failed', () => {
    const changes = [{ action: 'create', kind: 'source', name: 'A', fields: [], applied: true }];
    const errors = [{ path: 'source "B".name', code: 'name_taken', message: 'is taken' }];
    const answer = {
      code: 'configuration_partly_applied',
      message: 'B failed. What stands before it is applied.',
    };
    const refused = new RefusedError('https://cdp.test', 409, JSON.stringify({ ...answer, errors, changes }));
    expect(refused.message).toContain('What stands before it is applied. (configuration_partly_applied)');
    expect(refused.changes).toEqual(changes);
  });

  it.each(['{"error":"forbidden"}', '"no"', 'null', '<h1>Forbidden</h1>'])(
    'is shown as it is where something in between gives it: %s',
    (text) => expect(saysOf(text)).toBe(`https://cdp.test answered 403: ${text}`),
  );

  it('tells no terminal what to do', () => {
    expect(saysOf('<h1>\n\u001B[2J')).toBe('https://cdp.test answered 403: <h1>\n\\u001b[2J');
    expect(linesOf('a.json', [{ path: 'rules[0]', message: 'of "A\n\u001B[2J"' }])).toBe(
      'a.json\n  rules[0]: of "A\\n\\u001b[2J"',
    );
  });
});

it('takes no page for people for an answer', () => {
  const page = new Response('<h1>Log in</h1>', { headers: { 'content-type': 'text/html; charset=utf-8' } });
  expect(() => demandType('application/json', page)).toThrow('with text/html; charset=utf-8');
  demandType('text/html', page);
});
