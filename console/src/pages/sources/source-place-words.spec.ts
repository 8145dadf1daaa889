import { sourcePlaceWords } from './source-place-words';

describe('sourcePlaceWords', () => {
  it.each([
    ['name', 'Name'],
    ['signature.secrets[1]', 'Secrets, number 2'],
    ['signature.header', 'Header of the signature'],
  ])('calls %s %s', (path, words) => {
    expect(sourcePlaceWords(path)).toBe(words);
  });

  it.each(['', 'signature', 'trackingPlanId'])('has no word for %j, which has no field', (path) => {
    expect(sourcePlaceWords(path)).toBeUndefined();
  });
});
