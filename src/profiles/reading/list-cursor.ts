import { InvalidCursorError } from '../../platform/http/resources/page';

const MARK = 'after:';

/** Leads to the page after this user. */
export function writeListCursor(userId: string): string {
  return Buffer.from(`${MARK}${userId}`).toString('base64url');
}

/** The user before the page. @throws InvalidCursorError when the text is no cursor of ours. */
export function readListCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!text.startsWith(MARK) || text.includes('\0')) throw new InvalidCursorError();
  return text.slice(MARK.length);
}
