import type { ApiPropertyOptions } from '@nestjs/swagger';
import { EVENT_TYPES } from '../../../events/customer-event';
import { ACTIONS, UNPLANNED_ACTIONS } from '../../language/plan';

/** How the rules of a plan look in the OpenAPI document. */
export const PLAN_RULES_SCHEMA = {
  type: 'array',
  maxItems: 1_000,
  description: 'One for each type and name of events.',
  items: {
    type: 'object',
    additionalProperties: false,
    required: ['type'],
    properties: {
      type: { type: 'string', enum: [...EVENT_TYPES] },
      event: {
        type: 'string',
        minLength: 1,
        description:
          'Name of the track, page or screen. A page or screen rule without it is for those that have no rule of their own.',
      },
      schema: {
        type: 'object',
        additionalProperties: true,
        default: {},
        description:
          'JSON Schema 2020-12 of the whole event as it is delivered: `type`, `event`, `userId`, `properties`, `traits`, `context`. ' +
          '`$ref` within the schema only, patterns as in RE2.',
      },
      onViolation: {
        type: 'string',
        enum: [...ACTIONS],
        default: 'observe',
        description:
          '`observe` accepts and warns, `omit` also takes out the properties that are wrong, `quarantine` keeps the event apart, `block` rejects it.',
      },
      unplannedProperties: {
        type: 'string',
        enum: [...UNPLANNED_ACTIONS],
        description: 'Instead of the one of the plan.',
      },
    },
  },
  example: [
    {
      type: 'track',
      event: 'Order Completed',
      schema: {
        required: ['properties'],
        properties: {
          properties: {
            required: ['total'],
            properties: {
              total: { type: 'number', minimum: 0 },
              currency: { type: 'string', pattern: '^[A-Z]{3}$' },
            },
          },
        },
      },
      onViolation: 'observe',
    },
  ],
} as const satisfies ApiPropertyOptions;
