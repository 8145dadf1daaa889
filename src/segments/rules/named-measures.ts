import type { EventType } from '../../events/customer-event';
import { InputProblems } from '../../platform/http/input/input-problems';
import type { ProblemDetail } from '../../platform/http/problems/problem';
import { COMPUTED } from './computed-path';
import type { Aggregate } from './measure';
import { parseCountedEvents, readMeasure } from './parsing/parse-measure';
import type { MeasureField } from './predicate';
import type { Rule } from './rule';

/** What goes before the name of a computed trait in a rule. */
export const COMPUTED_PREFIX = `${COMPUTED}.`;

/** What a computed trait is of, as a client writes it; the members are those of a rule. */
export interface MeasureDefinition extends Pick<Rule, 'where' | 'of' | 'within' | 'from' | 'to'> {
  readonly event: string;
  readonly type?: EventType;
  readonly aggregate: Aggregate;
}

/** The members of a definition that are there. What is missing is for `parseDefinition` to say. */
export function definitionIn({
  event,
  type,
  where,
  aggregate,
  of,
  within,
  from,
  to,
}: Partial<MeasureDefinition>): MeasureDefinition {
  const members = Object.entries({ event, type, where, aggregate, of, within, from, to });
  return Object.fromEntries(
    members.filter(([, member]) => member !== undefined),
  ) as unknown as MeasureDefinition;
}

/** What computed traits are of, by their names. */
export type NamedMeasures = ReadonlyMap<string, MeasureField>;

export const NO_TRAITS: NamedMeasures = new Map();

/** What is wrong with a definition has the name of the member as its path. */
export type ParsedDefinition =
  | { readonly ok: true; readonly field: MeasureField }
  | { readonly ok: false; readonly errors: readonly ProblemDetail[] };

export function parseDefinition(definition: MeasureDefinition): ParsedDefinition {
  const problems = new InputProblems();
  const counted = parseCountedEvents(definition, '', problems);
  const field = counted && readMeasure(definition, counted, '', problems);
  if (field !== undefined && problems.errors.length === 0) return { ok: true, field };
  return { ok: false, errors: problems.errors.map((error) => ({ ...error, path: error.path.slice(1) })) };
}

/** Those that this version understands. */
export function namedMeasures(
  definitions: readonly { readonly name: string; readonly definition: MeasureDefinition }[],
): NamedMeasures {
  return new Map(
    definitions.flatMap(({ name, definition }) => {
      const parsed = parseDefinition(definition);
      return parsed.ok ? [[name, parsed.field]] : [];
    }),
  );
}
