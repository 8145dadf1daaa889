import { InvalidRequestError } from '../../platform/http/problems/problem';
import { maskedSignature, parseSignature } from './parse-signature';
import type { SignatureDto } from './signature.dto';

function withSecrets(given: SignatureDto, secrets: string[]): SignatureDto {
  return Object.assign({}, given, { secrets });
}

function problemsOf(given: SignatureDto): string[] {
  try {
    parseSignature(given, undefined);
    return [];
  } catch (error) {
    return (error as InvalidRequestError).errors.map(({ path, code }) => `${path} ${code}`);
  }
}

describe('parseSignature', () => {
  it.each<[SignatureDto, string[]]>([
    [{ scheme: 'github', secrets: ['a'] }, []],
    [{ scheme: 'github', secrets: ['a'], header: 'X' }, ['signature.header not_of_scheme']],
    [{ scheme: 'github', secrets: ['a'], toleranceSeconds: 5 }, ['signature.toleranceSeconds not_of_scheme']],
    [{ scheme: 'stripe', secrets: ['whsec_any thing'], toleranceSeconds: 5 }, []],
    [{ scheme: 'standard-webhooks', secrets: ['no base 64'] }, ['signature.secrets[0] invalid_secret']],
    [{ scheme: 'standard-webhooks', secrets: ['whsec_'] }, ['signature.secrets[0] invalid_secret']],
    [{ scheme: 'hmac', secrets: ['a'] }, ['signature.header is_defined']],
    [{ scheme: 'hmac', secrets: ['a', '****'], header: 'X' }, ['signature.secrets[1] masked_secret']],
  ])('finds what is wrong with %j', (given, problems) => {
    expect(problemsOf(given)).toEqual(problems);
  });

  it('keeps the secrets whose masks are given', () => {
    const present = parseSignature({ scheme: 'github', secrets: ['one secret of mine'] }, undefined);
    const given = withSecrets(maskedSignature(present), ['****mine', 'another secret']);
    expect(parseSignature(given, present).secrets).toEqual(['one secret of mine', 'another secret']);
  });
});

describe('maskedSignature', () => {
  it.each<SignatureDto>([
    { scheme: 'github', secrets: ['****cret'] },
    { scheme: 'slack', secrets: ['****cret'], toleranceSeconds: 60 },
    {
      scheme: 'hmac',
      secrets: ['****cret'],
      header: 'x-a',
      algorithm: 'sha1',
      encoding: 'base64',
      prefix: 'v=',
    },
    {
      scheme: 'hmac',
      secrets: ['****cret'],
      toleranceSeconds: 60,
      header: 'x-a',
      algorithm: 'sha1',
      encoding: 'base64',
      prefix: '',
      timestampHeader: 'x-time',
    },
  ])('shows what can be sent back: %j', (shown) => {
    const parsed = parseSignature(withSecrets(shown, ['a long secret']), undefined);
    expect(maskedSignature(parsed)).toEqual(withSecrets(shown, ['****cret']));
    expect(parseSignature(maskedSignature(parsed), parsed)).toEqual(parsed);
  });
});
