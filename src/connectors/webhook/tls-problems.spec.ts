import { CLIENT_A, CLIENT_B, PRIVATE_CA, tlsFile } from '../../../test/support/tls-files';
import { tlsProblems } from './tls-problems';

const URL = 'https://a.test/in';
const told = (tls: object, url = URL): string[] =>
  tlsProblems({ ...tls }, url).map(({ path, code }) => `${path} ${code}`);
const messages = (tls: object): string => JSON.stringify(tlsProblems({ ...tls }, URL));
const BROKEN = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';

describe('the TLS of a webhook', () => {
  it.each<[string, object]>([
    ['an authority', { ca: PRIVATE_CA }],
    [
      'several, with remarks between them',
      { ca: `# one\n${PRIVATE_CA}\n# two\n${tlsFile('localhost.crt')}` },
    ],
    [
      'an authority that has expired beside one that has not',
      { ca: tlsFile('client-a-expired.crt') + PRIVATE_CA },
    ],
    ['a certificate and its key', CLIENT_A],
    ['a certificate with what leads to its authority', { ...CLIENT_A, cert: CLIENT_A.cert + PRIVATE_CA }],
    ['line ends of Windows', { ca: PRIVATE_CA.replaceAll('\n', '\r\n'), ...CLIENT_A }],
    ['all of it', { ca: PRIVATE_CA, ...CLIENT_A }],
  ])('may be %s', (_, tls) => expect(told(tls)).toEqual([]));

  it.each<[string, object, string[]]>([
    ['nothing', {}, ['tls invalid_tls']],
    ['what there is not', { ca: PRIVATE_CA, pfx: 'a' }, ['tls.pfx unknown_field']],
    ['what all objects have', { ca: PRIVATE_CA, constructor: 'a' }, ['tls.constructor unknown_field']],
    ['no text', { ca: [PRIVATE_CA] }, ['tls.ca invalid_tls']],
    ['null', { ca: null }, ['tls.ca invalid_tls']],
    ['no PEM', { ca: 'an authority' }, ['tls.ca invalid_tls']],
    ['a certificate that is broken off', { ca: PRIVATE_CA.slice(0, 300) }, ['tls.ca invalid_tls']],
    ['one that is broken', { ca: PRIVATE_CA + BROKEN }, ['tls.ca invalid_tls']],
    ['too much', { ca: PRIVATE_CA.repeat(200) }, ['tls.ca invalid_tls']],
    ['an authority that has expired', { ca: tlsFile('client-a-expired.crt') }, ['tls.ca invalid_tls']],
    [
      'a key that would be shown',
      { cert: CLIENT_A.cert + CLIENT_A.key, key: CLIENT_A.key },
      ['tls.cert invalid_tls'],
    ],
    ['a certificate without its key', { cert: CLIENT_A.cert }, ['tls.key invalid_tls']],
    ['a key without its certificate', { key: CLIENT_A.key }, ['tls.cert invalid_tls']],
    ['the key of another', { cert: CLIENT_A.cert, key: CLIENT_B.key }, ['tls.cert invalid_tls']],
    [
      'the own certificate behind another',
      { ...CLIENT_A, cert: PRIVATE_CA + CLIENT_A.cert },
      ['tls.cert invalid_tls'],
    ],
    [
      'one that has expired',
      { ...CLIENT_A, cert: tlsFile('client-a-expired.crt') },
      ['tls.cert invalid_tls'],
    ],
    ['a key as certificate', { cert: CLIENT_A.key, key: CLIENT_A.key }, ['tls.cert invalid_tls']],
    ['a certificate as key', { cert: CLIENT_A.cert, key: CLIENT_A.cert }, ['tls.key invalid_tls']],
    ['an encrypted key', { ...CLIENT_A, key: tlsFile('client-a-encrypted.key') }, ['tls.key invalid_tls']],
  ])('cannot be %s', (_, tls, expected) => expect(told(tls)).toEqual(expected));

  it('is for addresses with TLS', () => {
    expect(told({ ca: PRIVATE_CA }, 'http://a.test/in')).toEqual(['tls invalid_tls']);
    expect(told({ ca: PRIVATE_CA }, 'HTTPS://a.test/in')).toEqual([]);
  });

  it('says what is the matter, and nothing of the key', () => {
    expect(messages({ ...CLIENT_A, key: tlsFile('client-a-encrypted.key') })).toContain(
      'must not be encrypted',
    );
    expect(messages({ ...CLIENT_A, cert: tlsFile('client-a-expired.crt') })).toContain('has expired (Jan  1');
    const lines = CLIENT_A.key.split('\n').filter((line) => line.length > 30 && !line.startsWith('-----'));
    for (const tls of [
      { key: CLIENT_A.key },
      { ...CLIENT_B, key: CLIENT_A.key },
      { ...CLIENT_A, key: `x${CLIENT_A.key.slice(9)}` },
    ])
      for (const line of lines) expect(messages(tls)).not.toContain(line);
  });
});
