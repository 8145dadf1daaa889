import type { ApiPropertyOptions } from '@nestjs/swagger';
import { EVENT_TYPES } from '../../../events/customer-event';
import { ANY_JSON } from '../../../platform/openapi/any-json';
import { MATCHES, OPERATORS } from '../../../language/operators';

/** How rules look in the OpenAPI document. */
export const RULES_SCHEMA = {
  type: 'array',
  description:
    'Rules, each `{field, operator, value}`; or groups of rules, each `{match, not, rules}`. A segment without rules has everybody.',
  items: {
    anyOf: [
      {
        type: 'object',
        title: 'Rule',
        additionalProperties: false,
        required: ['field', 'operator'],
        properties: {
          field: {
            type: 'string',
            minLength: 1,
            description:
              '`event_count`, `first_seen`, `last_seen`, `groups`, `segments` (with the id of another segment), a trait of any of the groups of the person (`groups.…`), or a trait by its name or dotted path (also `traits.…`).',
          },
          operator: { type: 'string', enum: [...OPERATORS] },
          value: {
            ...ANY_JSON,
            description: 'What goes with the operator; none with `exists` and `not_exists`.',
          },
          event: {
            type: 'string',
            description:
              'With `event_count`: only events of this name: of a track, page or screen its name, of any other its type.',
          },
          type: {
            type: 'string',
            enum: [...EVENT_TYPES],
            description: 'With `event_count`: only events of this type, whatever their name.',
          },
          within: { type: 'string', example: '30d', description: 'With `event_count`: only the last days.' },
        },
      },
      {
        type: 'object',
        title: 'Group of rules',
        additionalProperties: false,
        required: ['rules'],
        properties: {
          match: { type: 'string', enum: [...MATCHES] },
          not: { type: 'boolean', description: 'Turns its verdict around.' },
          rules: {
            type: 'array',
            items: { type: 'object', additionalProperties: true },
            description: 'Rules and groups.',
          },
        },
      },
    ],
  },
  example: [
    { field: 'event_count', operator: 'gt', value: 10 },
    { field: 'plan', operator: 'eq', value: 'pro' },
  ],
} as const satisfies ApiPropertyOptions;
