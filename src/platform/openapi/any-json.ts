import type { ApiPropertyOptions } from '@nestjs/swagger';

/** How a member that may be any JSON value, null too, looks in the OpenAPI document. */
export const ANY_JSON = {
  anyOf: [
    { type: 'string', nullable: true },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'array', items: {} },
    { type: 'object', additionalProperties: true },
  ],
} as const satisfies ApiPropertyOptions;
