import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { targetConstructorToSchema } from 'class-validator-jsonschema';

/** A JSON Schema (draft 2020-12). */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** What the validators of a class say, as a JSON Schema. */
export function validatorSchema(validated: Type): JsonSchema {
  // The library's own type is that of OpenAPI 3.0.
  return targetConstructorToSchema(validated, {
    classValidatorMetadataStorage: getMetadataStorage(),
  }) as unknown as JsonSchema;
}
