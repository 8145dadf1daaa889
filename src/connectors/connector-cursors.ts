import { Injectable } from '@nestjs/common';
import type { JsonValue } from '../events/customer-event';
import { Database } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';
import type { ConnectorCursor } from './connector-context';
import { PermanentDeliveryError } from './delivery-error';

const MAX_VALUE_LENGTH = 64 * 1024;
const MAX_KEY_LENGTH = 200;

const readCursorSql = prepared('read_connector_cursor')`
  select value from connector_cursor where destination_id = $1 and key = $2`;
const writeCursorSql = prepared('write_connector_cursor')`
  insert into connector_cursor (destination_id, key, value) values ($1, $2, $3)
  on conflict (destination_id, key) do update set value = excluded.value, updated_at = excluded.updated_at`;
const removeCursorSql = prepared('remove_connector_cursor')`
  delete from connector_cursor where destination_id = $1 and key = $2`;

/** What connectors keep between tries, per destination. */
@Injectable()
export class ConnectorCursors {
  constructor(private readonly database: Database) {}

  of(destinationId: string): ConnectorCursor {
    return {
      get: async (key) => {
        const [row] = await this.database.query<{ value: JsonValue }>(readCursorSql, [destinationId, key]);
        return row?.value;
      },
      set: async (key, value) => {
        if (value === null) {
          await this.database.query(removeCursorSql, [destinationId, key]);
          return;
        }
        const json = JSON.stringify(value);
        if (key.length > MAX_KEY_LENGTH || json.length > MAX_VALUE_LENGTH) {
          throw new PermanentDeliveryError('cursor_too_large');
        }
        await this.database.query(writeCursorSql, [destinationId, key, json]);
      },
    };
  }
}
