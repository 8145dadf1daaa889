import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventProblemWords } from './event-problem-words';

/** The members of a union as its file has it. */
const codesOf = (file: string, type: string): string[] => {
  const text = readFileSync(join(__dirname, '../../../src', file), 'utf8');
  const [, union = ''] = new RegExp(`type ${type} =([^;]*);`).exec(text) ?? [];
  return Array.from(union.matchAll(/'(\w+)'/g), ([, code = '']) => code);
};

describe('what is wrong with an event', () => {
  const codes = [
    ...codesOf('ingestion/parsing/event-problem.ts', 'EventProblemCode'),
    ...codesOf('tracking-plans/language/plan.ts', 'ViolationCode'),
  ];

  it('is said in a sentence, whatever it is', () => {
    expect(codes).toEqual(
      expect.arrayContaining(['missing_event_name', 'event_too_deep', 'unplanned_event']),
    );
    expect(codes.filter((code) => !/^[A-Z].* .*\.$/.test(eventProblemWords(code)))).toEqual([]);
  });

  it('is the code where it is newer than the page', () => {
    expect(eventProblemWords('from_the_future')).toBe('from_the_future');
  });
});
