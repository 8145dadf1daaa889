import type { PreparedStatement, Statement } from '../database';

type Sql = (parts: TemplateStringsArray, ...values: readonly (string | number)[]) => PreparedStatement;

/**
 * Stands before the text of a prepared statement, which may hold SQL of others: prepared('…')`select …`.
 * @param name unique in the service
 */
export function prepared(name: string, settings: Pick<Statement, 'limitMs' | 'plannedOnce'> = {}): Sql {
  return (parts, ...values) => ({ ...settings, name, text: String.raw({ raw: parts }, ...values) });
}
