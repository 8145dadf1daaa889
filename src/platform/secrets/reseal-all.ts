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
/** Their next version: whoever read a row before it is not to write its old envelopes back. */
const VERSIONED: readonly string[] = ['source', 'destination'];
const ENVELOPE = /v1\.[0-9a-f]{8}\.[\w-]+/g;

/**
 * Seals again, under the present key, all that is sealed under another one. A row that is changed at the same time is
 * looked at again; a change that read it before and is written afterwards is answered `changed_meanwhile`.
 * @returns the number of values written.
 * @throws when a secret was sealed with a key that is not at hand.
 */
export async function resealAll(client: Client, secretBox: SecretBox): Promise<number> {
  let written = 0;
  for (const column of SEALED_COLUMNS) {
    let pass: ResealedColumn;
    do {
      pass = await resealColumn(column, client, secretBox);
      written += pass.written;
    } while (pass.changed > 0);
  }
  return written;
}

interface ResealedColumn {
  readonly written: number;
  /** Values that were others by the time they were to be written. */
  readonly changed: number;
}

async function resealColumn(
  { table, key, column }: (typeof SEALED_COLUMNS)[number],
  client: Client,
  secretBox: SecretBox,
): Promise<ResealedColumn> {
  const { rows } = await client.query<{ key: unknown; value: string }>(
    `select ${key} as key, ${column}::text as value from ${table} where ${column} is not null`,
  );
  let [written, changed] = [0, 0];
  for (const row of rows) {
    const resealed = row.value.replaceAll(ENVELOPE, (envelope) =>
      secretBox.isCurrent(envelope) ? envelope : secretBox.seal(secretBox.open(envelope)),
    );
    if (resealed === row.value) continue;
    const { rowCount } = await client.query(
      `update ${table} set ${column} = $1::text::${column === 'mapping' ? 'jsonb' : 'text'}
         ${VERSIONED.includes(table) ? ', version = version + 1' : ''}
       where ${key} = $2 and ${column}::text = $3`,
      [resealed, row.key, row.value],
    );
    if (rowCount === 1) written += 1;
    else changed += 1;
  }
  return { written, changed };
}
