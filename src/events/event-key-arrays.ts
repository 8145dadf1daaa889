import type { EventKey } from './customer-event';

/**
 * Keys of events, the same position being the same event, as arrays in PostgreSQL's text format. Taking thousands of
 * keys apart, only to send them back, would cost as much as reading the events.
 */
export interface EventKeyArrays {
  readonly subjects: string;
  readonly timestamps: string;
  readonly ids: string;
  /** Of the ids: partitions that lie outside cannot hold the events. */
  readonly lowestId: string;
  readonly highestId: string;
}

/** @param keys at least one */
export function keyArrays(keys: readonly EventKey[]): EventKeyArrays {
  const ids = keys.map(({ id }) => id);
  return {
    subjects: arrayText(keys.map(({ subject }) => subject)),
    timestamps: arrayText(keys.map(({ timestamp }) => timestamp)),
    ids: arrayText(ids),
    ...boundsOf(ids),
  };
}

/** All keys of some arrays, of which there is at least one and none is empty. */
export function joinKeyArrays(arrays: readonly EventKeyArrays[]): EventKeyArrays {
  const [only] = arrays;
  if (only !== undefined && arrays.length === 1) return only;
  return {
    subjects: joined(arrays.map(({ subjects }) => subjects)),
    timestamps: joined(arrays.map(({ timestamps }) => timestamps)),
    ids: joined(arrays.map(({ ids }) => ids)),
    ...boundsOf(arrays.flatMap(({ lowestId, highestId }) => [lowestId, highestId])),
  };
}

function boundsOf(ids: readonly string[]): Pick<EventKeyArrays, 'lowestId' | 'highestId'> {
  const sorted = [...ids].sort();
  return { lowestId: sorted[0] ?? '', highestId: sorted.at(-1) ?? '' };
}

function arrayText(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replaceAll(/[\\"]/g, String.raw`\$&`)}"`).join(',')}}`;
}

/** `{a,b}` and `{c}` are `{a,b,c}`. */
function joined(texts: readonly string[]): string {
  return `{${texts.map((text) => text.slice(1, -1)).join(',')}}`;
}
