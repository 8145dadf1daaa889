import type { FuncKeywordDefinition } from 'ajv';

/** `uniqueItems` in time that grows with the text of the array: ajv compares each element with each other. */
export const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: false,
  error: { message: 'must NOT have duplicate items' },
  compile: (isAsked: boolean) => (isAsked ? areUnique : () => true),
};

/** Whether no two elements are the same JSON. */
export function areUnique(elements: readonly unknown[]): boolean {
  const seen = new Set<string>();
  for (const element of elements) {
    const text = canonical(element);
    if (seen.has(text)) return false;
    seen.add(text);
  }
  return true;
}

/** The same text for the same JSON, whatever the order of members. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  // -0 and 0 are the same number.
  if (typeof value !== 'object' || value === null) return JSON.stringify(value === 0 ? 0 : value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}
