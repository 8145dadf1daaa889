import type { ExportPart } from '../../platform/database/statements/export-part';

/** The values of computed traits that are kept of a person. */
export const computedValueExport: ExportPart = {
  kind: 'computed_trait',
  sql: `
    select jsonb_build_object('name', c.name, 'value', v.value)::text as data, array[c.name, v.subject] as key
    from computed_value v join kept_trait k on k.generation = v.generation and k.state <> 'discarding'
    join computed_trait c on c.id = k.trait_id
    where v.subject = any($1::text[]) and (c.name, v.subject) > ($2::text, $3::text)
    order by c.name, v.subject`,
  first: ['', ''],
};
