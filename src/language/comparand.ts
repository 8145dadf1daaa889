import type { JsonValue } from '../events/customer-event';

/** What a condition compares with. */
export type Comparand =
  | { readonly kind: 'none' }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'list'; readonly values: readonly JsonValue[] }
  /** A point in time: so many milliseconds before now. */
  | { readonly kind: 'ago'; readonly ms: number };

/** What is compared with, where there is exactly one value; null where there is none. */
export function valueOf(comparand: Comparand): JsonValue {
  return comparand.kind === 'value' ? comparand.value : null;
}

/** What is compared with, of an operator that validation allows text only, or a number, to go with. */
export function textOf(comparand: Comparand): string {
  const value = valueOf(comparand);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function listOf(comparand: Comparand): readonly JsonValue[] {
  return comparand.kind === 'list' ? comparand.values : [];
}
