import { InvalidRequestError } from '../../platform/http/problem';

/** The last event of a page. */
export interface EventPosition {
  /** ISO 8601. */
  readonly timestamp: string;
  readonly id: string;
}

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function writeEventCursor({ timestamp, id }: EventPosition): string {
  return Buffer.from(`${timestamp} ${id}`).toString('base64url');
}

/** @throws InvalidRequestError when the text is no cursor of ours. */
export function readEventCursor(cursor: string): EventPosition {
  const [timestamp = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  if (Number.isNaN(Date.parse(timestamp)) || !ID.test(id)) {
    throw new InvalidRequestError([
      { path: 'cursor', code: 'invalid_cursor', message: 'must be the nextCursor of an earlier answer' },
    ]);
  }
  return { timestamp, id };
}
