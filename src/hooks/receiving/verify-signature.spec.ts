import { createHmac } from 'node:crypto';
import { sign } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import type { HmacScheme, Signature, SignatureScheme } from '../../sources/signature/signature';
import { findSignatureFault } from './verify-signature';

const NOW_SECONDS = 1_800_000_000;

function aSignature(scheme: SignatureScheme, secrets: string[], hmac: Partial<HmacScheme> = {}): Signature {
  const custom = {
    header: 'x-signature',
    algorithm: 'sha256',
    encoding: 'hex',
    prefix: '',
    timestampHeader: null,
    ...hmac,
  } as const;
  return { scheme, secrets, toleranceSeconds: 300, hmac: scheme === 'hmac' ? custom : null };
}

function faultOf(
  signature: Signature,
  headers: Record<string, string>,
  body: string,
  nowSeconds = NOW_SECONDS,
): string | undefined {
  return findSignatureFault(signature, { headers, body: Buffer.from(body) }, nowSeconds * 1000);
}

const hmacOf = (
  secret: string,
  text: string,
  algorithm = 'sha256',
  encoding: 'hex' | 'base64' = 'hex',
): string => createHmac(algorithm, secret).update(text).digest(encoding);

describe('what senders have published', () => {
  it.each<[string, Signature, Record<string, string>, string, number]>([
    [
      'GitHub',
      aSignature('github', ["It's a Secret to Everybody"]),
      {
        'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
      },
      'Hello, World!',
      NOW_SECONDS,
    ],
    [
      'Slack',
      aSignature('slack', ['8f742231b10e8888abcd99yyyzzz85a5']),
      {
        'x-slack-request-timestamp': '1531420618',
        'x-slack-signature': 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
      },
      'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
      1_531_420_618,
    ],
    [
      'Standard Webhooks',
      aSignature('standard-webhooks', ['whsec_plJ3nmyCDGBKInavdOK15jsl']),
      {
        'webhook-id': 'msg_loFOjxBNrRLzqYUf',
        'webhook-timestamp': '1731705121',
        'webhook-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
      },
      '{"event_type":"ping","data":{"success":true}}',
      1_731_705_121,
    ],
    [
      'Svix, by its own names',
      aSignature('standard-webhooks', ['whsec_plJ3nmyCDGBKInavdOK15jsl']),
      {
        'svix-id': 'msg_loFOjxBNrRLzqYUf',
        'svix-timestamp': '1731705121',
        'svix-signature': 'v1,rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0=',
      },
      '{"event_type":"ping","data":{"success":true}}',
      1_731_705_121,
    ],
  ])('of %s fits, and nothing else does', (_name, signature, headers, body, nowSeconds) => {
    expect(faultOf(signature, headers, body, nowSeconds)).toBeUndefined();
    expect(faultOf(signature, headers, `${body} `, nowSeconds)).toBe('no_secret_fits');
    const other = { ...signature, secrets: ['b3RoZXI='] };
    expect(faultOf(other, headers, body, nowSeconds)).toBe('no_secret_fits');
    for (const name of Object.keys(headers)) {
      const { [name]: _left, ...fewer } = headers;
      expect([name, faultOf(signature, fewer, body, nowSeconds)]).toEqual([name, 'missing_or_malformed']);
    }
  });
});

describe('what their libraries sign', () => {
  const body = '{"n":1.0,"name":"Zoë"}';

  it('of GitHub fits', async () => {
    const signature = await sign('secret', body);
    expect(
      faultOf(aSignature('github', ['secret']), { 'x-hub-signature-256': signature }, body),
    ).toBeUndefined();
  });

  it('of Standard Webhooks fits, with each of several secrets', () => {
    const secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD'];
    for (const secret of secrets) {
      const headers = {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(NOW_SECONDS),
        'webhook-signature': new Webhook(secret).sign('msg_1', new Date(NOW_SECONDS * 1000), body),
      };
      expect(faultOf(aSignature('standard-webhooks', secrets), headers, body)).toBeUndefined();
      expect(faultOf(aSignature('standard-webhooks', ['AAAA', secret]), headers, body)).toBeUndefined();
    }
  });
});

describe('as their documentation says', () => {
  const body = '{"id":"evt_1"}';

  it('Stripe may sign with two secrets at once, and the older scheme does not count', () => {
    const v1 = (secret: string): string => hmacOf(secret, `${NOW_SECONDS}.${body}`);
    const header = `t=${NOW_SECONDS},v1=${v1('old')},v1=${v1('new')},v0=${v1('zero')}`;
    const headers = { 'stripe-signature': header };
    expect(faultOf(aSignature('stripe', ['new']), headers, body)).toBeUndefined();
    expect(faultOf(aSignature('stripe', ['old']), headers, body)).toBeUndefined();
    expect(faultOf(aSignature('stripe', ['zero']), headers, body)).toBe('no_secret_fits');
  });

  it('Shopify signs the body, in Base64', () => {
    const headers = { 'x-shopify-hmac-sha256': hmacOf('secret', body, 'sha256', 'base64') };
    expect(faultOf(aSignature('shopify', ['secret']), headers, body)).toBeUndefined();
    expect(faultOf(aSignature('shopify', ['other']), headers, body)).toBe('no_secret_fits');
  });

  it.each<[Partial<HmacScheme>, string]>([
    [{}, hmacOf('secret', body)],
    [{}, hmacOf('secret', body).toUpperCase()],
    [{ algorithm: 'sha1', prefix: 'sha1=' }, `sha1=${hmacOf('secret', body, 'sha1')}`],
    [{ algorithm: 'sha512', encoding: 'base64' }, hmacOf('secret', body, 'sha512', 'base64')],
  ])('others sign with an HMAC that is %j', (scheme, given) => {
    expect(faultOf(aSignature('hmac', ['secret'], scheme), { 'x-signature': given }, body)).toBeUndefined();
    expect(faultOf(aSignature('hmac', ['other'], scheme), { 'x-signature': given }, body)).toBe(
      'no_secret_fits',
    );
  });

  it.each(['', 'sha256=', 'not hex', 'abc', 'sha1=00'])('%j is no signature', (given) => {
    const signature = aSignature('hmac', ['secret'], { prefix: 'sha256=' });
    expect(faultOf(signature, { 'x-signature': given }, body)).toBe('missing_or_malformed');
  });

  it('a shorter signature of the right beginning does not fit', () => {
    const given = hmacOf('secret', body).slice(0, 32);
    expect(faultOf(aSignature('hmac', ['secret']), { 'x-signature': given }, body)).toBe('no_secret_fits');
  });
});

describe('the time that is signed', () => {
  const body = '{}';
  const schemes: [string, (seconds: number | string) => [Signature, Record<string, string>]][] = [
    [
      'Stripe',
      (seconds) => [
        aSignature('stripe', ['secret']),
        { 'stripe-signature': `t=${seconds},v1=${hmacOf('secret', `${seconds}.${body}`)}` },
      ],
    ],
    [
      'Slack',
      (seconds) => [
        aSignature('slack', ['secret']),
        {
          'x-slack-request-timestamp': String(seconds),
          'x-slack-signature': `v0=${hmacOf('secret', `v0:${seconds}:${body}`)}`,
        },
      ],
    ],
    [
      'an HMAC with a time',
      (seconds) => [
        aSignature('hmac', ['secret'], { timestampHeader: 'x-time' }),
        { 'x-time': String(seconds), 'x-signature': hmacOf('secret', `${seconds}.${body}`) },
      ],
    ],
  ];

  it.each(schemes)('of %s may be five minutes from now, before or after', (_name, signed) => {
    for (const away of [0, 300, -300]) expect(faultOf(...signed(NOW_SECONDS + away), body)).toBeUndefined();
    for (const away of [301, -301, 1e9, -1e9]) {
      expect(faultOf(...signed(NOW_SECONDS + away), body)).toBe('outside_of_tolerance');
    }
    for (const time of ['', 'now', '1e9', '-5', '1800000000.5', '0x6b49d200']) {
      expect([time, faultOf(...signed(time), body)]).toEqual([time, 'missing_or_malformed']);
    }
  });

  it('cannot be changed without the secret', () => {
    const [signature, headers] = schemes[1]?.[1](NOW_SECONDS - 1_000) ?? [];
    const later = { ...headers, 'x-slack-request-timestamp': String(NOW_SECONDS) };
    expect(faultOf(signature as Signature, later, body)).toBe('no_secret_fits');
  });
});
