import { hash } from 'node:crypto';

/** 128 bits make an accidental collision among 10^12 events about as likely as a wrong disk read. */
const KEY_HEX_DIGITS = 32;

/**
 * What an event is deduplicated by: the first half of SHA-256 over source and messageId, as the text of a uuid.
 *
 * @param messageId as it was sent. Halves of surrogate pairs have no bytes of their own in UTF-8, so that an id with
 *   them goes in as JSON, which escapes them.
 */
export function messageKey(sourceId: string, messageId: string): string {
  const text = messageId.isWellFormed() ? `:${messageId}` : `!${JSON.stringify(messageId)}`;
  return hash('sha256', sourceId + text, 'hex').slice(0, KEY_HEX_DIGITS);
}
