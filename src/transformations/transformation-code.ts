import type { Tx } from '../platform/database/database';

/**
 * The code of the transformation `id` (SQL, such as a column) as it is at that moment: an object as `SandboxedCode`
 * describes it; null where there is none. For statements of other modules.
 */
export const transformationCodeSql = (id: string): string =>
  `(select json_build_object('id', t.id || ' ' || t.version, 'text', t.code) from transformation t where t.id = ${id})`;

const findTransformationSql = 'select from transformation where id = $1';
const shareLockTransformationSql = `${findTransformationSql} for key share`;

/** Whether there is such a transformation. */
export async function transformationExists(id: string, tx: Tx): Promise<boolean> {
  return (await tx.query(findTransformationSql, [id])).length > 0;
}

/** The same, and it cannot be deleted until the transaction ends. */
export async function shareLockTransformation(id: string, tx: Tx): Promise<boolean> {
  return (await tx.query(shareLockTransformationSql, [id])).length > 0;
}
