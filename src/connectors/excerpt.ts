import type { SecretMask } from './secret-mask';

/** What of an answer is kept with the try, and shown. */
const EXCERPT_BYTES = 1_024;
/** What connectors give of an answer: in what was cut off in the middle of a secret, the secret would not be found. */
export const GIVEN_BYTES = 16 * 1024;

/**
 * How much of an answer that comes to: a secret that is cut off at the end would not be recognized, and those that are
 * take less room once they are masked.
 */
export function excerptNeeds(mask: SecretMask): number {
  return EXCERPT_BYTES + 4 * mask.longest;
}

/**
 * The beginning of an answer, without the secrets of the request, which receivers may repeat. As PostgreSQL can hold
 * it: its text has neither NUL nor half a character.
 * @param isWhole whether it ends where the answer does; by default, where it is shorter than what is given of one
 */
export function excerptOf(text: string, mask: SecretMask, isWhole = text.length < GIVEN_BYTES): string {
  if (text === '') return '';
  const looked = text.slice(0, excerptNeeds(mask));
  const masked = mask.text(looked.replaceAll('\u0000', ''));
  const isSure = isWhole && looked.length === text.length;
  const sure = isSure ? masked : masked.slice(0, Math.max(0, masked.length - 2 * mask.longest));
  return Buffer.from(sure).subarray(0, EXCERPT_BYTES).toString('utf8');
}
