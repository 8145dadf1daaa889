import type { JsonValue } from '../../events/customer-event';

/** The reserved traits of the event convention that are text. */
const TEXT_TRAITS = new Set([
  'avatar',
  'description',
  'email',
  'firstName',
  'gender',
  'id',
  'lastName',
  'name',
  'phone',
  'title',
  'username',
  'website',
]);

/**
 * The value of a trait as it is kept: reserved traits have one type, whatever an SDK sends. A number or boolean
 * becomes text where text is meant, numeric text becomes a number for `age`.
 *
 * @returns undefined when the value cannot be the trait at all; it is then ignored.
 */
export function reservedTrait(key: string, value: JsonValue): JsonValue | undefined {
  if (value === null) return null;
  if (TEXT_TRAITS.has(key)) return asText(value);
  if (key === 'age') return asNumber(value);
  return value;
}

function asText(value: JsonValue): string | undefined {
  return typeof value === 'object' ? undefined : String(value);
}

function asNumber(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
