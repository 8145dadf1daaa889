import type { Tx } from '../platform/database/database';
import { prepared } from '../platform/database/statements/prepared';

/** The blocks of the profile table, and the number of the file that they are counted in. */
interface MeasuredProfiles {
  readonly blocks: number;
  readonly filenode: number;
}

// Asked of a row, and so of the table that has it: with Citus that is one of another name on another node.
const measureSql = prepared('measure_profiles')`
  select (pg_relation_size(tableoid) / current_setting('block_size')::integer)::integer as blocks,
    pg_relation_filenode(tableoid) as filenode
  from profile limit 1`;

/** How large the table of profiles is now; none when nobody is in it. */
export async function measureProfiles(tx: Tx): Promise<MeasuredProfiles> {
  const [measured] = await tx.query<{ blocks: number; filenode: number }>(measureSql);
  return measured ?? { blocks: 0, filenode: 0 };
}
