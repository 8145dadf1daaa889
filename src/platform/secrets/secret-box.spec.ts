import { Config } from '../config/config';
import { SecretBox } from './secret-box';

const OLD = 'the-old-encryption-key';
const NEW = 'the-new-encryption-key';
const boxWith = (key: string): SecretBox => new SecretBox(Config.from({ CDP_ENCRYPTION_KEY: key }));

describe('SecretBox', () => {
  it('opens what it sealed, and never seals the same way twice', () => {
    const box = boxWith(OLD);
    expect(box.open(box.seal('secret'))).toBe('secret');
    expect(box.seal('secret')).not.toBe(box.seal('secret'));
  });

  it('opens with any key of the ring and seals with the first', () => {
    const envelope = boxWith(OLD).seal('secret');
    const ring = boxWith(`${NEW}, ${OLD}`);
    expect(ring.open(envelope)).toBe('secret');
    expect(ring.isCurrent(envelope)).toBe(false);
    expect(boxWith(NEW).open(ring.seal('secret'))).toBe('secret');
  });

  it('refuses an envelope of a key it lacks, or one that was changed', () => {
    const envelope = boxWith(OLD).seal('secret');
    expect(() => boxWith(NEW).open(envelope)).toThrow('CDP_ENCRYPTION_KEY lacks');
    const changed = `${envelope.slice(0, -2)}${envelope.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(() => boxWith(OLD).open(changed)).toThrow('unable to authenticate');
    expect(() => boxWith(OLD).open('v1.AAAA')).toThrow('CDP_ENCRYPTION_KEY lacks');
  });
});
