import { Config } from '../platform/config/config';
import { SecretBox } from '../platform/secrets/secret-box';
import { mistakeInPrevious, openPrevious, sealPrevious, stillGood } from './previous-secrets';

const boxOf = (keys: string): SecretBox => new SecretBox(Config.from({ CDP_ENCRYPTION_KEY: keys }));

describe('secrets that were replaced', () => {
  const box = boxOf('a-key-of-some-length-for-tests');
  const all = ['c', 'b', 'a'].map((secret, index) => ({ secrets: { secret }, untilMs: 5_000 - index }));

  it.each([0, 1, 2, 3])('are read as they were sealed, when there are %i', (count) => {
    const some = all.slice(0, count);
    const stored = sealPrevious(some, box);
    expect(openPrevious(stored, box)).toEqual(some);
    expect(JSON.stringify(stored)).not.toContain('"secret"');
  });

  it('are where the version before looks for the newest of them', () => {
    const { previousSecretsSealed, previousSecretsUntil } = sealPrevious(all, box);
    expect(JSON.parse(box.open(previousSecretsSealed ?? ''))).toEqual({ secret: 'c' });
    expect(previousSecretsUntil).toEqual(new Date(5_000));
  });

  it('are left out where their key is not at hand', () => {
    expect(openPrevious(sealPrevious(all, boxOf('another-key-of-some-length-0000')), box)).toEqual([]);
  });

  it('end each at its own time', () => {
    expect(stillGood(all, 4_999).map(({ secrets }) => secrets.secret)).toEqual(['c']);
  });

  it('have room for four, and say when there is room again', () => {
    const four = [...all, { secrets: {}, untilMs: 9_000 }];
    expect(mistakeInPrevious(four)).toBeUndefined();
    expect(mistakeInPrevious([...four, { secrets: {}, untilMs: 9_000 }])).toContain(
      '1970-01-01T00:00:04.998Z',
    );
  });
});
