import type { SecretMask } from './secret-mask';

/** What of an answer is kept with the try, and shown. */
const EXCERPT_BYTES = 1_024;

/**
 * How much of an answer that comes to: a secret that is cut off at the end would not be recognized, and those that are
 * take less room once they are masked.
 */
export function excerptNeeds(mask: SecretMask): number {
  return EXCERPT_BYTES + 4 * mask.longest;
}

/**
 * The beginning of an answer, without the secrets of the request, which receivers may repeat. As PostgreSQL can hold it:
 * its text has neither NUL nor half a character.
 * @param isWhole whether it ends where the answer does; by default, where it is no longer than what is shown
 */
export function excerptOf(text: string, mask: SecretMask, isWhole = text.length <= EXCERPT_BYTES): string {
  if (text === '') return '';
  const masked = mask.text(text.slice(0, excerptNeeds(mask)).replaceAll('\u0000', ''));
  const sure = isWhole ? masked : masked.slice(0, Math.max(0, masked.length - 2 * mask.longest));
  return Buffer.from(sure).subarray(0, EXCERPT_BYTES).toString('utf8');
}
