import type { SqlValues } from '../../../language/sql-values';
import { isArrayIndex } from '../memory/read-field';

/** The value at a path in a jsonb expression: `->` steps into objects only, `#>` with an index into arrays too. */
export function jsonPathToSql(json: string, path: readonly string[], values: SqlValues): string {
  return path.reduce(
    (value, step) =>
      isArrayIndex(step)
        ? `(${value} #> ${values.add([step], 'text[]')})`
        : `(${value} -> ${values.text(step)})`,
    json,
  );
}
