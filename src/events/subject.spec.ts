import { ownersAmong, subjectsNamedIn } from './subject';

describe('ownersAmong', () => {
  it.each([
    [{ userId: 'ada' }, ['u:ada']],
    [{ userId: 'ada', anonymousId: 'browser' }, ['u:ada']],
    [{ userId: 'same', anonymousId: 'same' }, ['u:same']],
    [{ anonymousId: 'browser' }, ['a:browser']],
    [{ userId: 'ada', previousId: 'was' }, ['u:ada', 'u:was', 'a:was']],
    [{ userId: 'ada', previousId: 'was', anonymousId: 'browser' }, ['u:ada', 'u:was', 'a:was']],
    [{}, []],
  ])('says of %j whose it is', (event, owners) => {
    expect(ownersAmong(subjectsNamedIn(event))).toEqual(owners);
  });
});
