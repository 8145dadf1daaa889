import { applyDecorators } from '@nestjs/common';
import type { FuncKeywordDefinition } from 'ajv';
import { ValidateBy } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { fitsBytes } from './field-values';
import { MAX_NAME_BYTES } from './limits';

/*
 * The rules of events for which class-validator or JSON Schema has no word. What is a time, an id or no id is read
 * before (`read-members.ts`); the depth and the bytes of an event as a whole are checked in `parse-event.ts`.
 */

/** Of a text in UTF-8. Swagger shows it, too. */
const MAX_BYTES = 'x-max-bytes';

/** A text whose bytes are limited: with an id it must fit into an index entry of PostgreSQL. */
export function IsName(): PropertyDecorator {
  const validate = (value: unknown): boolean => typeof value === 'string' && fitsBytes(MAX_NAME_BYTES, value);
  return applyDecorators(
    ValidateBy({ name: 'isName', validator: { validate } }),
    JSONSchema({ type: 'string', maxLength: MAX_NAME_BYTES, [MAX_BYTES]: MAX_NAME_BYTES }),
  );
}

/** On the class of an event that needs a person whom it is about. */
export function NeedsPerson(): ClassDecorator {
  return JSONSchema({ anyOf: [{ required: ['userId'] }, { required: ['anonymousId'] }] });
}

/** What the words of ours mean to ajv. */
export const EVENT_KEYWORDS: FuncKeywordDefinition[] = [
  {
    keyword: MAX_BYTES,
    type: 'string',
    schemaType: 'number',
    compile: (maxBytes: number) => (text: string) => fitsBytes(maxBytes, text),
  },
];
