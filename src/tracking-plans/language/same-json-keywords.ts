import type { FuncKeywordDefinition } from 'ajv';
import { canonicalJson } from '../../events/same-json';

/**
 * The keywords that ask whether two values are the same JSON. Those of ajv throw at a member called `toString`, and
 * compare each element of an array with each other; these take time that grows with the text of the value.
 */
export const SAME_JSON_KEYWORDS: readonly FuncKeywordDefinition[] = [
  {
    keyword: 'const',
    errors: false,
    error: { message: ({ schema }) => mustBe([schema]) },
    compile: (value: unknown) => oneOf([value]),
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    errors: false,
    error: { message: ({ schema }) => mustBe(schema as unknown[]) },
    compile: oneOf,
  },
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: false,
    error: { message: 'must NOT have duplicate items' },
    compile: (isAsked: boolean) => (isAsked ? areUnique : () => true),
  },
];

/** Values that are named, and characters of each. */
const MAX_NAMED = 5;
const MAX_NAMED_CHARACTERS = 32;

/** Made once for a schema, however many events are wrong. */
function mustBe(allowed: readonly unknown[]): string {
  const named = allowed.slice(0, MAX_NAMED).map(nameOf);
  const others = allowed.length - named.length;
  const list = [...named, ...(others > 0 ? [`or ${others} more`] : [])].join(', ');
  return allowed.length > 1 ? `must be one of ${list}` : `must be ${list}`;
}

function nameOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_NAMED_CHARACTERS
    ? text
    : `${text.slice(0, MAX_NAMED_CHARACTERS).toWellFormed()}…`;
}

function oneOf(allowed: readonly unknown[]): (value: unknown) => boolean {
  const scalars = new Set(allowed.filter(isScalar));
  const others = new Set(allowed.filter((value) => !isScalar(value)).map(canonicalJson));
  return (value) =>
    isScalar(value) ? scalars.has(value) : others.size > 0 && others.has(canonicalJson(value));
}

/** Whether no two elements are the same JSON. */
export function areUnique(elements: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const element of elements) {
    const text = canonicalJson(element);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}
