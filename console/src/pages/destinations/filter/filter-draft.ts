import type { Dto } from '../../../api/client';
import { EVENT_TYPES } from '../../../shared/event-types';
import { objectText, readObject } from '../../../shared/read-object';
import {
  type ConditionDraft,
  missingInCondition,
  readCondition,
  writeCondition,
} from '../../../shared/segments/events/event-test-draft';
import { labelsInside, PARTS } from '../../../shared/segments/field-labels';
import { type Draft, draftFrom, type Language, writtenIn } from '../../../shared/built-draft';

/** Which events pass, while it is written; `docs/routing.md` says what each part means. */
export interface FilterParts {
  readonly types: readonly EventType[];
  /** Names or patterns; none is all. */
  readonly events: readonly string[];
  readonly match: 'all' | 'any';
  readonly conditions: readonly ConditionDraft[];
  /** Ids; none is everybody. */
  readonly segments: readonly string[];
}

export type FilterDraft = Draft<FilterParts>;
export type EventType = Dto['EventHeadDto']['type'];

/** As the API takes it; null lets everything pass. */
export type Filter = Readonly<Record<string, unknown>> | null;

export const FILTER_LANGUAGE: Language<FilterParts, Filter> = {
  write: writeFilter,
  writeComplete: (parts) =>
    writeFilter({ ...parts, conditions: parts.conditions.filter(isComplete) }) ?? null,
  read: readFilter,
  textOf: objectText,
  readText(text) {
    const read = readObject(text);
    return read === 'no_object' ? undefined : read;
  },
};

export function filterDraftOf(filter: Filter): FilterDraft {
  return draftFrom(filter, FILTER_LANGUAGE);
}

/** Undefined while something is missing, or is no JSON. */
export function filterOf(draft: FilterDraft): Filter | undefined {
  return writtenIn(draft, FILTER_LANGUAGE);
}

/** The fields of the builder without which there is no filter. What JSON lacks is said beside it. */
export function missingInFilter(draft: FilterDraft): string[] {
  if (draft.view === 'json') return [];
  return draft.built.conditions.flatMap((condition, index) =>
    labelsInside(PARTS.conditions(index), missingInCondition(condition)),
  );
}

function writeFilter({ types, events, match, conditions, segments }: FilterParts): Filter | undefined {
  const written = conditions.map(writeCondition);
  if (written.includes(undefined)) return undefined;
  const filter = {
    ...(types.length === EVENT_TYPES.length ? {} : { types }),
    ...(events.length === 0 ? {} : { events }),
    ...(match === 'any' && written.length > 1 ? { match } : {}),
    ...(written.length === 0 ? {} : { conditions: written }),
    ...(segments.length === 0 ? {} : { segments }),
  };
  return Object.keys(filter).length === 0 ? null : filter;
}

function isComplete(condition: ConditionDraft): boolean {
  return writeCondition(condition) !== undefined;
}

function readFilter(filter: Filter): FilterParts | undefined {
  const { types, events = [], match = 'all', conditions = [], segments = [], ...others } = filter ?? {};
  const isKnown = isTexts(events) && isTexts(segments) && Array.isArray(conditions);
  if (Object.keys(others).length > 0 || !isKnown || (match !== 'all' && match !== 'any')) return undefined;
  const read = conditions.map(readCondition);
  const known = types === undefined ? EVENT_TYPES : readTypes(types);
  if (known === undefined || !read.every((condition) => condition !== undefined)) return undefined;
  return { types: known, events, match, conditions: read, segments };
}

function isTexts(list: unknown): list is string[] {
  return Array.isArray(list) && list.every((entry) => typeof entry === 'string');
}

function readTypes(types: unknown): EventType[] | undefined {
  if (!isTexts(types)) return undefined;
  const known = EVENT_TYPES.filter((type) => types.includes(type));
  return types.every((type) => known.some((one) => one === type)) ? known : undefined;
}
