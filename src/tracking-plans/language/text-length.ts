import type { FuncKeywordDefinition } from 'ajv';

/**
 * `minLength` and `maxLength`, which count characters and not UTF-16 units: ajv counts them all, also where the number
 * of units says enough.
 */
export const TEXT_LENGTHS: readonly FuncKeywordDefinition[] = [
  keyword(
    'minLength',
    (limit) => `must NOT have fewer than ${limit} characters`,
    (text, limit) => !hasFewer(text, limit),
  ),
  keyword(
    'maxLength',
    (limit) => `must NOT have more than ${limit} characters`,
    (text, limit) => hasFewer(text, limit + 1),
  ),
];

function keyword(
  name: string,
  messageOf: (limit: string) => string,
  isValid: (text: string, limit: number) => boolean,
): FuncKeywordDefinition {
  return {
    keyword: name,
    type: 'string',
    schemaType: 'number',
    errors: false,
    error: { message: ({ schemaValue }) => messageOf(String(schemaValue)) },
    compile: (limit: number) => (text: string) => isValid(text, limit),
  };
}

/** A character has one unit or two, so that nearly always nothing is counted. */
function hasFewer(text: string, limit: number): boolean {
  if (text.length < limit) return true;
  if (text.length >= 2 * limit) return false;
  let characters = 0;
  for (const _ of text) {
    characters += 1;
    if (characters >= limit) return false;
  }
  return true;
}
