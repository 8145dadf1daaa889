import { refuseWindow } from './check-windows';
import { type MeasureDefinition, type ParsedDefinition, parseDefinition } from '../named-measures';

/**
 * What a computed trait is of, unless it looks further back than events are kept; as {@link parseDefinition} answers
 * it. Those that are there already are read without this: the time for which events are kept may have become shorter.
 */
export function parseBoundedDefinition(
  definition: MeasureDefinition,
  retentionDays: number,
): ParsedDefinition {
  const parsed = parseDefinition(definition);
  if (!parsed.ok) return parsed;
  const refused = refuseWindow(parsed.field.window, retentionDays);
  return refused === undefined ? parsed : { ok: false, errors: [{ path: 'within', ...refused }] };
}
