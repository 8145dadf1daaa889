import type { EventType } from '../../events/customer-event';
import type { EventPath } from '../../events/event-path';
import type { EventTest } from '../rules/event-test';
import { type Condition, type Field } from '../rules/predicate';
import { partsOf } from '../rules/sequence';
import { memberPath } from './member-path';
import { kindsOfAggregate, kindsOfCondition } from './value-kinds';

/** What a rule looks at, and where it stands; of a computed trait nowhere, which is empty. */
export type Looked = Pick<Condition, 'path' | 'field'>;

/** A path into events, which a rule looks along. */
export interface AskedPath {
  /** Of the member that says it. */
  readonly place: string;
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
  return looked.flatMap(({ path, field }) => pathsOf(field, path));
}

function pathsOf(field: Field, place: string): AskedPath[] {
  switch (field.kind) {
    case 'measure': {
      const { measure } = field;
      const { event, type, aggregate, of } = measure;
      const use = `\`${aggregate}\``;
      const lookedAt = kindsOfAggregate(aggregate);
      const ofValues = { place: memberPath(place, 'of'), event, type, use, lookedAt };
      return [...(of === undefined ? [] : [{ ...ofValues, path: of }]), ...pathsOfTest(measure, place)];
    }
    case 'sequence':
      return partsOf(field).flatMap(([part, step]) => pathsOfTest(step, memberPath(place, part)));
    default:
      return [];
  }
}

function pathsOfTest({ event, type, where }: EventTest, place: string): AskedPath[] {
  return where.map((condition, at) => ({
    place: memberPath(place, `where[${at}].field`),
    event,
    type,
    path: condition.path,
    use: `\`${condition.operator}\` with this value`,
    lookedAt: kindsOfCondition(condition),
  }));
}
