import type { Client } from 'pg';
import type { SecretBox } from './secret-box';

/** Every column that holds envelopes: as text, or somewhere inside of JSON. */
const SEALED_COLUMNS: readonly { readonly table: string; readonly key: string; readonly column: string }[] = [
  { table: 'source', key: 'id', column: 'write_key_sealed' },
  { table: 'source', key: 'id', column: 'signature_secrets_sealed' },
  { table: 'destination', key: 'id', column: 'secrets_sealed' },
  { table: 'destination', key: 'id', column: 'previous_secrets_sealed' },
  { table: 'destination', key: 'id', column: 'earlier_secrets_sealed' },
  { table: 'destination', key: 'id', column: 'mapping' },
  { table: 'pseudonym_key', key: 'only_row', column: 'key_sealed' },
  { table: 'idempotency_key', key: 'key_hash', column: 'answer_sealed' },
];
const ENVELOPE = /v1\.[0-9a-f]{8}\.[\w-]+/g;

/**
 * Seals again, under the present key, all that is sealed under another one. A row that is changed at the same time is sealed
 * under the present key by that change, and left alone here.
 * @returns the number of values written.
 * @throws when a secret was sealed with a key that is not at hand.
 */
export async function resealAll(client: Client, secretBox: SecretBox): Promise<number> {
  let written = 0;
  for (const { table, key, column } of SEALED_COLUMNS) {
    const { rows } = await client.query<{ key: unknown; value: string }>(
      `select ${key} as key, ${column}::text as value from ${table} where ${column} is not null`,
    );
    for (const row of rows) {
      const resealed = row.value.replaceAll(ENVELOPE, (envelope) =>
        secretBox.isCurrent(envelope) ? envelope : secretBox.seal(secretBox.open(envelope)),
      );
      if (resealed === row.value) continue;
      const result = await client.query(
        `update ${table} set ${column} = $1::text::${column === 'mapping' ? 'jsonb' : 'text'}
         where ${key} = $2 and ${column}::text = $3`,
        [resealed, row.key, row.value],
      );
      written += result.rowCount ?? 0;
    }
  }
  return written;
}
