export type SignatureScheme = 'standard-webhooks' | 'github' | 'stripe' | 'shopify' | 'slack' | 'hmac';

interface SchemeTraits {
  /** Whether a time is signed with the body, or can be. */
  readonly signsTime: boolean;
  /** What senders call a request, and call it again when they repeat it: headers, or a member of the body. */
  readonly idIn:
    | {
        readonly headers: readonly string[];
        /** A header that is a part of it: requests that differ in it are called alike. */
        readonly topic?: string;
      }
    | { readonly member: string };
}

/** Who says how a request is signed; `hmac` is said by the operator. */
export const SCHEMES: Readonly<Record<SignatureScheme, SchemeTraits>> = {
  'standard-webhooks': { signsTime: true, idIn: { headers: ['webhook-id', 'svix-id'] } },
  github: { signsTime: false, idIn: { headers: ['x-github-delivery'] } },
  stripe: { signsTime: true, idIn: { member: 'id' } },
  // Of one action, such as an order that is paid at once, there is a request for each topic.
  shopify: {
    signsTime: false,
    idIn: { headers: ['x-shopify-event-id', 'x-shopify-webhook-id'], topic: 'x-shopify-topic' },
  },
  slack: { signsTime: true, idIn: { member: 'event_id' } },
  hmac: { signsTime: true, idIn: { headers: [] } },
};
export const SIGNATURE_SCHEMES = Object.keys(SCHEMES) as SignatureScheme[];

export const HMAC_ALGORITHMS = ['sha1', 'sha256', 'sha512'] as const;
export const HMAC_ENCODINGS = ['hex', 'base64'] as const;

/** What a scheme `hmac` is: the HMAC of the body or, with a time, of `<time>.<body>`. */
export interface HmacScheme {
  /** Where the signature is, in lower case. */
  readonly header: string;
  readonly algorithm: (typeof HMAC_ALGORITHMS)[number];
  readonly encoding: (typeof HMAC_ENCODINGS)[number];
  /** What stands in front of the signature: `sha256=`. */
  readonly prefix: string;
  /** Where the time is, in seconds since 1970. */
  readonly timestampHeader: string | null;
}

/** How the requests of a source are signed, without the secrets. As it is stored. */
export interface SignatureSettings {
  readonly scheme: SignatureScheme;
  /** How far the time of a request may be from ours, in either direction; of schemes that sign one. */
  readonly toleranceSeconds: number;
  readonly hmac: HmacScheme | null;
}

/** With them. */
export interface Signature extends SignatureSettings {
  /** Any of them may sign; several while one takes the place of another. */
  readonly secrets: readonly string[];
}

/** The key of a secret: that of Standard Webhooks is Base64 behind `whsec_`. */
export function keyOfSecret(scheme: SignatureScheme, secret: string): Buffer {
  if (scheme !== 'standard-webhooks') return Buffer.from(secret);
  return Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
}
