import type { ApiPropertyOptions } from '@nestjs/swagger';
import { EVENT_TYPES } from '../../../events/customer-event';
import { ANY_JSON } from '../../../platform/openapi/any-json';
import { MATCHES, OPERATORS } from '../../../language/operators';
import { MAX_STEPS, MAX_WHERE } from '../../rules/parsing/limits';
import { AGGREGATES } from '../../rules/measure';

export const WHERE_SCHEMA = {
  type: 'object' as const,
  additionalProperties: false,
  required: ['field', 'operator'],
  properties: {
    field: { type: 'string', example: 'properties.category', description: 'A dotted path into the event.' },
    operator: { type: 'string', enum: [...OPERATORS] },
    value: { ...ANY_JSON, description: 'What goes with the operator; none with `exists` and `not_exists`.' },
  },
} satisfies ApiPropertyOptions;

const RANGE_SCHEMA = {
  from: {
    type: 'string',
    example: '2026-11-01',
    description:
      'In the place of `within`: only stored events of this time or later, an ISO 8601 date or time.',
  },
  to: {
    type: 'string',
    example: '2026-12-01T00:00:00Z',
    description: 'In the place of `within`: only stored events before this time.',
  },
} as const;
const TYPE_SCHEMA = { type: 'string' as const, enum: [...EVENT_TYPES] };
const STEP_SCHEMA = {
  type: 'object' as const,
  additionalProperties: false,
  required: ['event'],
  properties: {
    event: {
      type: 'string',
      example: 'Product Added',
      description: 'The name of the event, as in other rules.',
    },
    type: { ...TYPE_SCHEMA, description: 'Only events of this type.' },
    where: { type: 'array', minItems: 1, maxItems: MAX_WHERE, items: WHERE_SCHEMA },
    within: {
      type: 'string',
      example: '1d',
      description:
        'So long after the event of the step before at most, in minutes, hours or days: `30m`, `36h`, `2d`. Not with the first step.',
    },
  },
} satisfies ApiPropertyOptions;

/** How rules look in the OpenAPI document. */
export const RULES_SCHEMA = {
  type: 'array',
  description:
    'Rules, each `{field, operator, value}`; sequences of events, each `{sequence, allWithin, not, within}`; or groups of rules, each `{match, not, rules}`. A segment without rules has everybody.',
  items: {
    anyOf: [
      {
        type: 'object',
        title: 'Rule',
        additionalProperties: false,
        required: ['operator'],
        properties: {
          field: {
            type: 'string',
            minLength: 1,
            description:
              '`event_count`, `first_seen`, `last_seen`, `groups`, `segments` (with the id of another segment), a computed trait (`computed.…`), a trait of any of the groups of the person (`groups.…`), or a trait by its name or dotted path (also `traits.…`). Left out where `event` says what is counted.',
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
            ...TYPE_SCHEMA,
            description: 'With `event_count`: only events of this type, whatever their name.',
          },
          within: {
            type: 'string',
            example: '30d',
            description:
              'With `event_count`: only the last days, or (with `event`) the last hours: `36h` is this hour and the 36 before.',
          },
          ...RANGE_SCHEMA,
          where: {
            type: 'array',
            minItems: 1,
            maxItems: MAX_WHERE,
            items: WHERE_SCHEMA,
            description:
              'With `event`, and `within` or `from` and `to`: only stored events for which all of these hold, conditions as filters of destinations have them.',
          },
          aggregate: {
            type: 'string',
            enum: [...AGGREGATES],
            default: 'count',
            description:
              'With `event`, and `within` or `from` and `to`: how many these events are, how many different values they have at `of`, what the numbers there come to, or the value there of the first or last event that has one, or of most events.',
          },
          of: {
            type: 'string',
            example: 'properties.total',
            description:
              'With every `aggregate` but `count`: a dotted path into the event. What is no number there is left out; with `unique` what is missing; with `first`, `last` and `most_frequent` what is no text (of up to 1,000 characters), number, true or false.',
          },
        },
      },
      {
        type: 'object',
        title: 'Sequence of events',
        additionalProperties: false,
        required: ['sequence'],
        properties: {
          sequence: {
            type: 'array',
            minItems: 1,
            maxItems: MAX_STEPS,
            items: STEP_SCHEMA,
            description: `Stored events one after another, 2 to ${MAX_STEPS} steps with what does not follow.`,
          },
          allWithin: {
            type: 'string',
            example: '7d',
            description:
              'So long from the event of the first step to that of the last at most, in minutes, hours or days; `not` has its own time after it. Left out: any time. Not with one step.',
          },
          not: {
            ...STEP_SCHEMA,
            required: ['event', 'within'],
            description:
              'What does not come in this time after the event of the last step. People enter when the time is over.',
          },
          within: {
            type: 'string',
            example: '30d',
            description:
              'The window that the event of the first step is in: the last days, or the last hours. It is required unless `from` or `to` says in which time that event is.',
          },
          ...RANGE_SCHEMA,
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
    {
      event: 'Order Completed',
      where: [{ field: 'properties.category', operator: 'eq', value: 'shoes' }],
      aggregate: 'sum',
      of: 'properties.total',
      within: '30d',
      operator: 'gte',
      value: 500,
    },
  ],
} as const satisfies ApiPropertyOptions;
