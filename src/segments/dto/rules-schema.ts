import type { ApiPropertyOptions } from '@nestjs/swagger';
import { MATCHES, OPERATORS } from '../rules/rule';

/** How rules look in the OpenAPI document. */
export const RULES_SCHEMA = {
  type: 'array',
  description:
    'Rules, each `{field, operator, value}`; or groups of rules, each `{match, not, rules}`. A segment without rules has everybody.',
  items: {
    type: 'object',
    properties: {
      field: {
        type: 'string',
        description:
          '`event_count`, `first_seen`, `last_seen`, `groups`, or a trait by its name or dotted path (also `traits.…`).',
      },
      operator: { type: 'string', enum: [...OPERATORS] },
      value: {
        description: 'Any JSON value that goes with the operator; none with `exists` and `not_exists`.',
      },
      event: { type: 'string', description: 'With `event_count`: only events of this name.' },
      within: { type: 'string', example: '30d', description: 'With `event_count`: only the last days.' },
      match: { type: 'string', enum: [...MATCHES], description: 'Of a group.' },
      not: { type: 'boolean', description: 'Of a group: turns its verdict around.' },
      rules: { type: 'array', items: { type: 'object' }, description: 'Of a group: its rules.' },
    },
  },
  example: [
    { field: 'event_count', operator: 'gt', value: 10 },
    { field: 'plan', operator: 'eq', value: 'pro' },
  ],
} as const satisfies ApiPropertyOptions;
