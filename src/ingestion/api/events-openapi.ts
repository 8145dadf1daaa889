import { getSchemaPath } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../../events/customer-event';
import type { OpenApiPart, Schemas } from '../../platform/openapi/openapi';
import { ProblemDto } from '../../platform/openapi/problem.dto';
import { problemResponses } from '../../platform/openapi/problem-response';
import { validatorSchema } from '../../platform/openapi/validator-schema';
import {
  BodyTooLargeError,
  BodyTooSlowError,
  ContextTooLargeError,
  IncompleteBodyError,
  InvalidBodyError,
  InvalidEncodingError,
  InvalidEventsError,
  InvalidJsonError,
  InvalidWriteKeyError,
  OverloadedError,
  StoreUnavailableError,
  TooManyEventsError,
  UnknownWriteKeyError,
  UnsupportedMediaTypeError,
} from '../ingestion-problems';
import { MAX_ID_LENGTH } from '../../events/subject';
import { ContextCampaignDto, ContextDto, ContextPageDto } from '../parsing/context.dto';
import { EVENT_DTOS } from '../parsing/event.dto';
import { InvalidEventsDto, IntakeAnswerDto, RejectionDto, WarningDto } from './intake-answer.dto';
import { EVENT_EXAMPLES } from './event-examples';
import { type Limits, MAX_EVENT_DEPTH, MAX_MESSAGE_ID_LENGTH, MAX_NAME_BYTES } from '../parsing/limits';

/** What an event that is sent alone may leave out. */
const FILLED_IN = ['type', 'messageId', 'timestamp'];

/** Why a request with events is not answered with 200. */
const REFUSALS = [
  InvalidEventsError,
  InvalidJsonError,
  InvalidBodyError,
  InvalidEncodingError,
  IncompleteBodyError,
  InvalidWriteKeyError,
  BodyTooSlowError,
  BodyTooLargeError,
  ContextTooLargeError,
  TooManyEventsError,
  UnsupportedMediaTypeError,
  OverloadedError,
  StoreUnavailableError,
];

type Operation = NonNullable<OpenApiPart['paths'][string]['post']>;

/** What Swagger shows of the Events API, whose routes are not those of a controller (see `EventsApi`). */
export function eventsOpenApi(limits: Limits): OpenApiPart {
  const singles = EVENT_TYPES.map((type) => [`/v1/${type}`, { post: single(type) }]);
  return {
    models: [
      ...Object.values(EVENT_DTOS),
      ContextDto,
      ContextPageDto,
      ContextCampaignDto,
      IntakeAnswerDto,
      InvalidEventsDto,
      RejectionDto,
      WarningDto,
    ],
    paths: {
      '/v1/batch': { post: batch(limits) },
      ...Object.fromEntries(singles),
      '/v1/projects/{writeKey}/settings': { get: settings() },
    },
    completeSchemas: (schemas) => {
      addRules(schemas);
      addSingles(schemas);
    },
  };
}

/** Adds to the events what is checked: the same schema. */
function addRules(schemas: Schemas): void {
  for (const dto of Object.values(EVENT_DTOS)) {
    const shown = schemas[dto.name];
    if (shown === undefined || '$ref' in shown) continue;
    const { properties: rules = {}, ...ofEvent } = validatorSchema(dto);
    const properties = Object.entries(shown.properties ?? {});
    Object.assign(shown, ofEvent, {
      properties: Object.fromEntries(properties.map(([name, shown]) => [name, { ...shown, ...rules[name] }])),
    });
  }
}

/** An event that is sent alone may leave out what its path says and what is filled in. */
function addSingles(schemas: Schemas): void {
  for (const type of EVENT_TYPES) {
    const schema = schemas[EVENT_DTOS[type].name];
    if (schema === undefined || '$ref' in schema) continue;
    const required = schema.required?.filter((member) => !FILLED_IN.includes(member)) ?? [];
    schemas[singleName(type)] = { ...schema, required };
  }
}

function singleName(type: EventType): string {
  return `Single${EVENT_DTOS[type].name}`;
}

function batch(limits: Limits): Operation {
  return {
    ...common('batch', 'Send events', batchDescription(limits)),
    parameters: [
      {
        name: 'strict',
        in: 'query',
        schema: { type: 'boolean', default: false },
        description: 'Refuse the whole batch when one event is not valid.',
      },
      {
        name: 'defaults',
        in: 'query',
        schema: { type: 'boolean', default: false },
        description:
          'Take events without `messageId` or `timestamp`, as Segment does: the id is made, the time is that of reception. ' +
          'The same request sent again then counts again, for nothing tells it from a new one.',
      },
    ],
    requestBody: body(
      {
        type: 'object',
        required: ['batch'],
        properties: {
          batch: {
            type: 'array',
            maxItems: limits.maxBatchEvents,
            items: {
              oneOf: EVENT_TYPES.map((type) => ({ $ref: getSchemaPath(EVENT_DTOS[type]) })),
              discriminator: {
                propertyName: 'type',
                mapping: Object.fromEntries(
                  EVENT_TYPES.map((type) => [type, getSchemaPath(EVENT_DTOS[type])]),
                ),
              },
            },
          },
          sentAt: {
            type: 'string',
            format: 'date-time',
            description: 'When the batch was sent, by the clock of the client.',
          },
          context: { allOf: [{ $ref: getSchemaPath(ContextDto) }], description: 'For events without one.' },
        },
      },
      {
        ...Object.fromEntries(EVENT_TYPES.map((type) => [type, { value: envelope([EVENT_EXAMPLES[type]]) }])),
        'all types': { value: envelope(EVENT_TYPES.map((type) => EVENT_EXAMPLES[type])) },
      },
    ),
  };
}

function batchDescription(limits: Limits): string {
  return `
The same as \`/v1/import\`, \`/v1/b\` and \`/api/s/s2s/batch\`. 200 means that every event is on disk. Sending a batch again is harmless: a
\`messageId\` counts once per source. Where the source has a tracking plan, the answer has \`warnings\`, and events that
the plan keeps apart are counted as \`quarantined\`; what it blocks is not valid. When some events are not valid the answer is 400, says all that is wrong with each,
and the others are stored.

The body is JSON whatever its Content-Type says, and may be compressed (gzip, deflate). The write key is the user name of
HTTP Basic, or in \`X-Write-Key\`, alone or behind a colon (\`shop:<write key>\`), as Jitsu's SDK sends it; SDKs that cannot
set headers send it as \`writeKey\` in the body. A key in the headers is checked before the
body is read, and such bodies have more room where much is under way (429 \`overloaded\`: send it again later). A body of
which less than 1 KB a second arrives is answered with 408.

Numbers are delivered with the digits they were sent with (\`9007199254740993\`, \`1.0\`, \`-0\`), and those beyond the
range of a double as \`null\`; profiles, segments and filters calculate with doubles. Bytes that are no UTF-8, halves of
surrogate pairs and U+0000 become U+FFFD. Of two members with the same name the last one counts.

| Limit | Value | Variable | Beyond it |
|---|---|---|---|
| body, inflated | ${limits.maxBodyBytes} bytes | CDP_MAX_BATCH_BYTES | 413 \`body_too_large\` |
| events in a batch | ${limits.maxBatchEvents} | CDP_MAX_BATCH_EVENTS | 413 \`too_many_events\` |
| one event | ${limits.maxEventBytes} bytes | CDP_MAX_EVENT_BYTES | 400 \`event_too_large\` |
| nesting | ${MAX_EVENT_DEPTH} levels | | 400 \`event_too_deep\` |
| \`messageId\` | 1 to ${MAX_MESSAGE_ID_LENGTH} characters | | 400 \`invalid_message_id\` |
| \`userId\`, \`anonymousId\`, \`groupId\`, \`previousId\` | 1 to ${MAX_ID_LENGTH} characters | | 400 \`invalid_id\` |
| \`event\`, \`name\`, \`category\` | ${MAX_NAME_BYTES} bytes | | 400 \`invalid_event_name\`, \`invalid_name\`, \`invalid_category\` |
`.trim();
}

function single(type: EventType): Operation {
  const { type: _type, ...example } = EVENT_EXAMPLES[type];
  const description = `The same as \`/v1/${type.charAt(0)}\`, \`/api/s/${type}\` and \`/api/s/s2s/${type}\`. \`type\` comes from the path; a missing \`messageId\` or \`timestamp\` is filled in.`;
  return {
    ...common(type, `Send one ${type} event`, description),
    requestBody: body({ $ref: getSchemaPath(singleName(type)) }, { [type]: { value: example } }),
  };
}

function settings(): Operation {
  return {
    ...common('settings', 'What SDKs load before they send', '404 when no enabled source has the key.'),
    security: [],
    parameters: [{ name: 'writeKey', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      200: {
        description: 'Where to send events.',
        content: { 'application/json': { schema: { type: 'object' } } },
      },
      ...problemResponses([UnknownWriteKeyError]),
    },
  };
}

function common(name: string, summary: string, description: string): Operation {
  return {
    tags: ['events'],
    operationId: `events_${name}`,
    summary,
    description,
    security: [{ writeKey: [] }],
    responses: {
      200: json('Every event is stored.', getSchemaPath(IntakeAnswerDto)),
      ...refusals(),
    },
  };
}

function envelope(batch: readonly object[]): object {
  return { batch, sentAt: '2026-11-20T12:00:01.000Z' };
}

function body(schema: object, examples: Record<string, { value: object }>): Operation['requestBody'] {
  return { required: true, content: { 'application/json': { schema, examples } } };
}

function json(description: string, schema: string): Operation['responses'][string] {
  return { description, content: { 'application/json': { schema: { $ref: schema } } } };
}

/** What is answered instead; of events that are not valid with more than other errors have. */
function refusals(): Operation['responses'] {
  const refused = problemResponses(REFUSALS);
  const schema = { anyOf: [InvalidEventsDto, ProblemDto].map((dto) => ({ $ref: getSchemaPath(dto) })) };
  const { content } = refused[InvalidEventsError.status] ?? {};
  Object.assign(content?.['application/problem+json'] ?? {}, { schema });
  return refused as Operation['responses'];
}
