import { InvalidCursorError } from './page';

const MARK = 'after:';

/** Leads to the page after this user, or group: of listings whose entries have no id of ours. */
export function writeTextCursor(last: string): string {
  return Buffer.from(`${MARK}${last}`).toString('base64url');
}

/** What the page comes after. @throws InvalidCursorError when this service did not make the cursor */
export function readTextCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  if (!text.startsWith(MARK) || text.includes('\0')) throw new InvalidCursorError();
  return text.slice(MARK.length);
}
