import { Webhook } from 'standardwebhooks';
import { generateSecret, isWellFormedSecret } from './secret';
import { SIGNATURE_HEADER, signatureHeaders } from './signature-headers';

const body = Buffer.from('{"type":"track","name":"Zoë ☕"}');

function sign(...secrets: [string, ...string[]]): Record<string, string> {
  const message = {
    id: '01890a5d-ac96-774b-bcce-b302099a8057',
    body,
    timestamp: Math.floor(Date.now() / 1000),
  };
  const headers = signatureHeaders(message, secrets, SIGNATURE_HEADER);
  return Object.fromEntries(
    headers.flatMap((name, index) =>
      index % 2 === 0 ? [[name.toLowerCase(), headers[index + 1] as string]] : [],
    ),
  );
}

describe('signatureHeaders', () => {
  it('signs the body with the secret as it was given', () => {
    // openssl dgst -sha256 -hmac 's3cret'
    expect(sign('s3cret')['x-service-signature']).toBe(
      'sha256=ebed3734b1b800d89b6443143e6450178a19e8732875f631e5cb6083993398df',
    );
  });

  it('signs in a way that the Standard Webhooks library verifies', () => {
    const secret = generateSecret();
    expect(new Webhook(secret).verify(body.toString(), sign(secret))).toMatchObject({ type: 'track' });
    const plain = new Webhook('any text at all', { format: 'raw' });
    expect(plain.verify(body.toString(), sign('any text at all'))).toMatchObject({ type: 'track' });
  });

  it('signs with the old and the new secret after a rotation, the plain header with the new one', () => {
    const [old, young] = [generateSecret(), generateSecret()];
    const headers = sign(young, old);
    new Webhook(old).verify(body.toString(), headers);
    new Webhook(young).verify(body.toString(), headers);
    expect(headers['x-service-signature']).toBe(sign(young)['x-service-signature']);
  });
});

describe('a secret', () => {
  it.each([
    ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', true],
    ['anything', true],
    ['whsec_', false],
    ['whsec_not base64', false],
    ['whsec_abc', false],
  ])('%j is well formed: %s', (secret, wellFormed) => {
    expect(isWellFormedSecret(secret)).toBe(wellFormed);
  });
});
