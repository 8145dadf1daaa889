import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { keyOfSecret, type Signature } from '../../sources/signature/signature';
import { type Claim, readClaim } from './read-claim';

/** What is wrong with a signature: for the log of the operator, not for who sends. */
type SignatureFault = 'missing_or_malformed' | 'outside_of_tolerance' | 'no_secret_fits';

/**
 * Checks the signature of a request over its bytes as they came. It takes the same way, and about the same time,
 * whatever is wrong with what is well-formed.
 * @param body inflated
 */
export function findSignatureFault(
  signature: Signature,
  { headers, body }: { readonly headers: IncomingHttpHeaders; readonly body: Buffer },
  nowMs: number,
): SignatureFault | undefined {
  const claim = readClaim(signature, headers);
  if (claim === undefined) return 'missing_or_malformed';
  const fits = isSignedByAny(signature, claim, body);
  if (!isInTime(claim, signature.toleranceSeconds, nowMs)) return 'outside_of_tolerance';
  return fits ? undefined : 'no_secret_fits';
}

function isSignedByAny({ scheme, secrets }: Signature, claim: Claim, body: Buffer): boolean {
  let fits = false;
  for (const secret of secrets) {
    const hmac = createHmac(claim.algorithm, keyOfSecret(scheme, secret));
    const expected = hmac.update(claim.before).update(body).digest();
    for (const given of claim.signatures) {
      fits = (given.length === expected.length && timingSafeEqual(given, expected)) || fits;
    }
  }
  return fits;
}

function isInTime({ sentAtSeconds }: Claim, toleranceSeconds: number, nowMs: number): boolean {
  return sentAtSeconds === undefined || Math.abs(nowMs / 1000 - sentAtSeconds) <= toleranceSeconds;
}
