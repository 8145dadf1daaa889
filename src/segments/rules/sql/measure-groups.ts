import type { Measure } from '../measure';
import { eventsKey, type MeasureField, stepsKey } from '../predicate';
import type { Window, WindowUnit } from '../window';

/** Measures that are read by one statement, in steps of one length. */
export interface MeasureGroup {
  readonly unit: WindowUnit;
  /** Whether they are read together again and again, so that the plan is worth keeping. */
  readonly isLasting: boolean;
  /** By `stepsKey`, in the order in which they are read. */
  readonly measures: Map<string, Measure>;
}

/** The group of each measure, by `stepsKey`. */
type MeasureGroups = ReadonlyMap<string, MeasureGroup>;

/**
 * A statement costs as much as a dozen values in it, and each step that it answers has a place for each value: so small
 * ones are put together, up to about this many values.
 */
const ENOUGH_MEASURES = 16;
/** So that a statement ends, whatever is asked of somebody with 20,000 events: within some seconds. */
const MAX_MEASURES = 32;

/**
 * Groups measures: the same groups for the same measures, whatever their order. Those of one name
 * of events are together, since whoever has such an event needs them all.
 */
export function groupMeasures(
  fields: Iterable<MeasureField>,
  { isLasting = false }: Partial<Pick<MeasureGroup, 'isLasting'>> = {},
): MeasureGroups {
  const groups = new Map<string, MeasureGroup>();
  let open: MeasureGroup | undefined;
  for (const [first, ...others] of measuresByName(fields)) {
    const { unit } = first.window;
    if (open?.unit !== unit || open.measures.size + others.length >= ENOUGH_MEASURES) {
      open = { unit, isLasting, measures: new Map() };
    }
    for (const field of [first, ...others]) {
      if (open.measures.size === MAX_MEASURES) open = { unit, isLasting, measures: new Map() };
      open.measures.set(stepsKey(field), field.measure);
      groups.set(stepsKey(field), open);
    }
  }
  return groups;
}

/** What a definition needs to be read. */
export interface MeasureRead {
  readonly group: MeasureGroup;
  readonly window: Window;
}

/** What is to be read for some measures: each group once for each length of windows. */
export function measureReads(
  fields: readonly MeasureField[],
  groups: MeasureGroups = groupMeasures(fields),
): MeasureRead[] {
  const reads: MeasureRead[] = [];
  for (const field of fields) {
    const { window } = field;
    const group = groups.get(stepsKey(field));
    if (group === undefined || reads.some((read) => read.group === group && isSame(read.window, window)))
      continue;
    reads.push({ group, window });
  }
  return reads;
}

function isSame(a: Window, b: Window): boolean {
  return a.unit === b.unit && a.count === b.count && a.range?.fromMs === b.range?.fromMs;
}

type OfName = readonly [MeasureField, ...MeasureField[]];

/** By the unit of their windows and the name of the events, in order, each once. */
function measuresByName(fields: Iterable<MeasureField>): OfName[] {
  const different = new Map(Array.from(fields, (field) => [stepsKey(field), field]));
  const byName = new Map<string, OfName>();
  for (const [, field] of [...different].toSorted(([a], [b]) => compareTexts(a, b))) {
    const [first, ...others] = byName.get(eventsKey(field)) ?? [];
    byName.set(eventsKey(field), first === undefined ? [field] : [first, ...others, field]);
  }
  return [...byName].toSorted(([a], [b]) => compareTexts(a, b)).map(([, ofName]) => ofName);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
