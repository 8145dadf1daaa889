import type { Tx } from '../../platform/database/database';
import { prepared } from '../../platform/database/statements/prepared';
import { type MeasureDefinition, namedMeasures, type NamedMeasures } from '../rules/named-measures';

interface DefinitionRow {
  readonly name: string;
  readonly definition: MeasureDefinition;
}

const readDefinitionsSql = prepared('computed_traits')`
  select name, definition from computed_trait order by name`;

/** What all computed traits are of, in the order of their names. */
export async function readNamedMeasures(tx: Tx): Promise<NamedMeasures> {
  return namedMeasures(await tx.query<DefinitionRow>(readDefinitionsSql));
}
