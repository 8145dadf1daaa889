import type { EventPosition } from '../../events/reading/read-person-events';
import { InvalidCursorError } from '../../platform/http/resources/page';

const POSITION = /^([1-9]\S{23}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Of the last event of a page. */
export function writeEventCursor({ timestamp, id }: EventPosition): string {
  return Buffer.from(`${timestamp} ${id}`).toString('base64url');
}

/** @throws InvalidCursorError when the text is no cursor of ours. */
export function readEventCursor(cursor: string): EventPosition {
  const [, timestamp = '', id = ''] = POSITION.exec(Buffer.from(cursor, 'base64url').toString('utf8')) ?? [];
  if (new Date(Date.parse(timestamp) || 0).toISOString() !== timestamp) {
    throw new InvalidCursorError('must be the nextCursor of an earlier answer');
  }
  return { timestamp, id };
}
