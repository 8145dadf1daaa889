import type { EventType } from '../../events/customer-event';
import type { EventPath } from '../../events/event-path';
import type { EventTest } from '../rules/event-test';
import { isOfEvent, type Measure } from '../rules/measure';
import { type Condition, type Field } from '../rules/predicate';
import { partsOf } from '../rules/sequence';
import { memberPath } from './member-path';
import { type Comparison, isLookedAt, kindsOfAggregate, kindsOfCondition } from './value-kinds';

/** What a rule looks at, and where it stands; of a computed trait nowhere, which is empty, and it compares nothing. */
export type Looked = Pick<Condition, 'path' | 'field'> & { readonly compared?: Comparison };

/** A path into events, which a rule looks along. */
export interface AskedPath {
  /** Of the member that says it. */
  readonly rulePath: string;
  readonly event: string;
  readonly type: EventType | undefined;
  readonly path: EventPath;
  /** What makes something of the values, as a rule says it. */
  readonly use: string;
  /** The values that it looks at; undefined is any. */
  readonly lookedAt: ReturnType<typeof kindsOfCondition>;
}

/** The paths into events that rules look along. */
export function askedPaths(looked: readonly Looked[]): AskedPath[] {
  return looked.flatMap(({ path, field, compared }) => pathsOf(field, path, compared));
}

function pathsOf(field: Field, rulePath: string, compared: Comparison | undefined): AskedPath[] {
  switch (field.kind) {
    case 'measure': {
      const { measure } = field;
      const { event, type, of } = measure;
      const ofValues = { rulePath: memberPath(rulePath, 'of'), event, type, ...useOf(measure, compared) };
      return [...(of === undefined ? [] : [{ ...ofValues, path: of }]), ...pathsOfTest(measure, rulePath)];
    }
    case 'sequence':
      return partsOf(field).flatMap(([part, step]) => pathsOfTest(step, memberPath(rulePath, part)));
    default:
      return [];
  }
}

/** A value that stands in an event is compared as it is; of others the aggregate makes a number. */
function useOf(measure: Measure, compared: Comparison | undefined): Pick<AskedPath, 'use' | 'lookedAt'> {
  const { aggregate } = measure;
  const lookedAt = kindsOfAggregate(aggregate);
  const kinds = isOfEvent(measure) && compared !== undefined ? kindsOfCondition(compared) : undefined;
  const both = kinds?.filter((kind) => lookedAt === undefined || isLookedAt(kind, lookedAt));
  if (compared === undefined || both === undefined || both.length === 0)
    return { use: `\`${aggregate}\``, lookedAt };
  return { use: `\`${aggregate}\` with \`${compared.operator}\` and this value`, lookedAt: both };
}

function pathsOfTest({ event, type, where }: EventTest, rulePath: string): AskedPath[] {
  return where.map((condition, at) => ({
    rulePath: memberPath(rulePath, `where[${at}].field`),
    event,
    type,
    path: condition.path,
    use: `\`${condition.operator}\` with this value`,
    lookedAt: kindsOfCondition(condition),
  }));
}
