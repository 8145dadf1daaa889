import { getSchemaPath } from '@nestjs/swagger';
import type { OpenApiPart } from '../../platform/openapi/openapi';
import { ProblemDto } from '../../platform/openapi/problem.dto';

type Operation = NonNullable<OpenApiPart['paths'][string]['post']>;

/** What Swagger shows of the route that others post to (see `HooksApi`). */
export function hooksOpenApi(): OpenApiPart {
  return { models: [], paths: { '/v1/hooks/{writeKey}': { post: operation() } } };
}

function operation(): Operation {
  return {
    tags: ['webhook sources'],
    operationId: 'hooks_post',
    summary: 'Where others post their webhooks',
    description:
      'The write key is that of a source of the kind `webhook`. Any JSON, or a form, which may be compressed (gzip, deflate) and ' +
      'is as large as a batch may be. 200 means that the request is on disk; events are made of it within about a second. See ' +
      'docs/webhook-sources.md.',
    security: [],
    parameters: [
      {
        name: 'writeKey',
        in: 'path',
        required: true,
        schema: { type: 'string' },
      },
    ],
    requestBody: {
      required: true,
      content: {
        'application/json': { schema: {}, example: { type: 'invoice.paid', id: 'evt_1', total: 9.5 } },
        'application/x-www-form-urlencoded': { schema: { type: 'object', additionalProperties: true } },
      },
    },
    responses: {
      200: {
        description: 'It is stored; or the `challenge` of Slack, when it asks whether somebody is there.',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              properties: { success: { type: 'boolean' }, challenge: { type: 'string' } },
            },
          },
        },
      },
      400: problem('The body is empty or no JSON (`invalid_json`), or nested too deep (`body_too_deep`).'),
      401: problem('The signature does not fit (`invalid_signature`).'),
      404: problem('No enabled webhook has this key (`unknown_write_key`).'),
      413: problem('The body is too large (`body_too_large`).'),
      415: problem('It is neither JSON nor a form (`unsupported_media_type`).'),
      429: problem('Too much is under way (`overloaded`), or has failed (`hook_backlog_full`).'),
      503: problem('It cannot be stored or verified now (`store_unavailable`, `secrets_unavailable`).'),
    },
  };
}

function problem(description: string): Operation['responses'][string] {
  const schema = { $ref: getSchemaPath(ProblemDto) };
  return { description, content: { 'application/problem+json': { schema } } };
}
