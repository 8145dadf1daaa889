import { hash } from 'node:crypto';

/** 128 bits make an accidental collision among 10^12 events about as likely as a wrong disk read. */
const KEY_HEX_DIGITS = 32;

/** What an event is deduplicated by: the first half of SHA-256 over source and messageId, as the text of a uuid. */
export function messageKey(sourceId: string, messageId: string): string {
  return hash('sha256', `${sourceId}:${messageId}`, 'hex').slice(0, KEY_HEX_DIGITS);
}
