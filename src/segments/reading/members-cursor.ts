import { InvalidCursorError } from '../../platform/http/resources/page';

/** Where a page of members ended: opaque to clients. */
export function encodeCursor(lastUserId: string): string {
  return Buffer.from(lastUserId, 'utf8').toString('base64url');
}

/** @throws InvalidCursorError when this service did not make the cursor. */
export function decodeCursor(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const userId = Buffer.from(cursor, 'base64url').toString('utf8');
  if (encodeCursor(userId) === cursor && !userId.includes('\0')) return userId;
  throw new InvalidCursorError();
}
