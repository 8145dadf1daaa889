import type { Match } from '../../../language/operators';
import type { NamedMeasures } from '../named-measures';
import { boundRanges } from './bound-ranges';
import { type ParsedRules, parseRules } from './parse-rules';

/** Rules, as they are stored or as a client writes them. */
export interface WrittenRules {
  readonly match?: Match | null;
  readonly rules: unknown;
}

/**
 * The predicate that rules are evaluated by, whose ranges go no further back than events are kept; or what is wrong.
 * @param traits what `computed.…` may name
 */
export function parseBoundedRules(
  { match, rules }: WrittenRules,
  traits: NamedMeasures,
  retentionDays: number,
): ParsedRules {
  const parsed = parseRules(rules, match ?? 'all', traits);
  return parsed.ok ? { ok: true, predicate: boundRanges(parsed.predicate, retentionDays) } : parsed;
}
