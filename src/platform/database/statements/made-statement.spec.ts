import { madeStatement } from './made-statement';

describe('madeStatement', () => {
  const texts = Array.from({ length: 100 }, (_, at) => `select ${at}`);
  const MINUTE_MS = 60_000;

  it('names a hundred statements, the same text always the same', () => {
    const statementOf = madeStatement('made');
    const names = texts.map((text) => statementOf(text).name);
    expect(new Set(names).size).toBe(100);
    expect(names.every((name) => name?.startsWith('made_'))).toBe(true);
    expect(statementOf('select 101')).toEqual({ text: 'select 101' });
    expect(texts.map((text) => statementOf(text).name)).toEqual(names);
  });

  it('gives the place of the one that was not used for longest to another, once it was not used for long', () => {
    let nowMs = 0;
    const statementOf = madeStatement('made', () => nowMs);
    for (const text of texts) statementOf(text);
    nowMs = 10 * MINUTE_MS;
    for (const text of texts.slice(1)) statementOf(text);
    expect(statementOf('select 101').name).toBeUndefined();
    nowMs = 15 * MINUTE_MS;
    expect(statementOf('select 101').name).toBeDefined();
    expect(statementOf('select 0').name).toBeUndefined();
    expect(texts.slice(1).every((text) => statementOf(text).name !== undefined)).toBe(true);
  });
});
