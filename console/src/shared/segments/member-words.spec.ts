import { memberWords } from './member-words';

describe('a member of a rule or computed trait', () => {
  it.each([
    ['to', 'Before'],
    ['within', 'In the last'],
    ['name', 'Name'],
    ['where[0].field', 'Condition 1, Path in the event'],
    ['where[1].value[2]', 'Condition 2, Value 3'],
    ['sequence[1].within', 'Step 2, Within'],
    ['sequence[0].where[0].operator', 'Step 1, Condition 1, Operator'],
    ['allWithin', 'All steps within'],
    ['not.event', 'What does not follow, Event name'],
    ['constructor', 'constructor'],
    ['windows[0].length', 'windows[0], length'],
  ])('is called as its field: %s', (path, words) => {
    expect(memberWords(path)).toBe(words);
  });
});
