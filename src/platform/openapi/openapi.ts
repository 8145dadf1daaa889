import type { INestApplication, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { packageVersion } from '../boot/package-version';
import { completeDocument } from './complete-document';
import { EXAMPLE_NAMES } from './example-ids';
import { type ExistingExamples, fillInExamples } from './fill-in-examples';
import { ProblemDetailDto, ProblemDto } from './problem.dto';
import { SWAGGER_UI_CSS, SWAGGER_UI_FUNCTIONS } from './swagger-ui';

const DESCRIPTION = `
Events come in from Segment-style SDKs, become unified profiles and live segments, and leave as signed deliveries.

1. **Authorize** with a bearer token: one of your identity provider, or without it, in development, what
   \`npm run token\` prints.
2. \`POST /sources\` makes a source; its \`writeKey\` is the user name of the Events API (Basic, empty password).
3. \`POST /destinations\` says where events go.
4. \`POST /v1/batch\` sends events; \`GET /profiles/{userId}\` shows what became of them.

Each example works as it is, also twice, once there is something to work on: try those of 2, 3 and 4 first, and of segments
\`POST /segments\`. In development examples that change something change what the examples of creations made, never
anything of yours: *${EXAMPLE_NAMES.source}*, *${EXAMPLE_NAMES.destination}* at \`localhost:8080/examples\`, *${EXAMPLE_NAMES.segment}*,
*${EXAMPLE_NAMES.trackingPlan}*, *${EXAMPLE_NAMES.transformation}* and *${EXAMPLE_NAMES.computedTrait}*. What deletes has no example; a retry needs
a pending delivery or a dead one.

Every error is an RFC 9457 problem (\`application/problem+json\`) with a stable \`code\` and a \`requestId\`.
`.trim();

const TAGS: readonly (readonly [name: string, description: string])[] = [
  ['sources', 'What sends events.'],
  ['destinations', 'Where events are delivered to.'],
  ['events', 'Events API: what SDKs call. Basic authentication with the write key of a source.'],
  ['webhook sources', 'What others post, and the requests that failed: no events could be made of them.'],
  ['profiles', 'What is known of a person.'],
  ['segments', 'Who belongs together, by rules.'],
  ['computed traits', 'Values about what people did.'],
  ['deliveries', 'Deliveries and their tries.'],
  ['dead letters', 'Deliveries that are dead: not tried any more.'],
  ['replays', 'Stored events and dead letters that are sent once more.'],
  ['tracking plans', 'What events should look like, and those that do not.'],
  ['transformations', 'Code that changes events on their way to destinations.'],
  ['inspector', 'What became of events.'],
  ['configuration', 'Sources, tracking plans, destinations and segments as one document.'],
  ['audit', 'Who changed what.'],
  ['access', 'Who the caller is.'],
];

export type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/** What a part of the service that has no controllers says about its operations. */
export interface OpenApiPart {
  /** DTO classes that its paths refer to. */
  readonly models: readonly Type[];
  readonly paths: OpenAPIObject['paths'];
  /** Adds to the schemas what only the configuration knows. */
  readonly completeSchemas?: (schemas: Schemas) => void;
}

/**
 * Serves Swagger UI at `/docs` and the OpenAPI document at `/openapi.json`. Call it before the app is initialised.
 * @param findExisting names what exists, for the examples; the document shows it to everybody
 */
export function mountOpenApi(
  app: NestFastifyApplication,
  parts: readonly OpenApiPart[] = [],
  findExisting?: () => Promise<ExistingExamples>,
): void {
  let document: OpenAPIObject | undefined;
  SwaggerModule.setup('docs', app, () => (document ??= buildOpenApiDocument(app, parts)), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Customer data platform: API',
    customCss: SWAGGER_UI_CSS,
    swaggerOptions: {
      persistAuthorization: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      ...SWAGGER_UI_FUNCTIONS,
    },
    ...(findExisting === undefined ? {} : { patchDocumentOnRequest: fillingIn(findExisting) }),
  });
}

/** The document is worth showing without what exists, too. */
function fillingIn(findExisting: () => Promise<ExistingExamples>) {
  return async (_request: unknown, _reply: unknown, document: OpenAPIObject): Promise<OpenAPIObject> => {
    const existing = await findExisting().catch(() => ({}));
    return fillInExamples(document, existing);
  };
}

/** The document of an app that need not be initialised. */
export function buildOpenApiDocument(
  app: INestApplication,
  parts: readonly OpenApiPart[] = [],
): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Customer data platform')
    .setDescription(DESCRIPTION)
    .setVersion(packageVersion())
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Management API' },
      'bearer',
    )
    .addBasicAuth(
      { type: 'http', scheme: 'basic', description: 'Events API: write key, empty password' },
      'writeKey',
    );
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    extraModels: [ProblemDto, ProblemDetailDto, ...parts.flatMap(({ models }) => models)],
    operationIdFactory: (controller, method) =>
      `${lowerFirst(controller.replace(/Controller$/, ''))}_${method}`,
  });
  for (const { paths, completeSchemas } of parts) {
    document.paths = { ...paths, ...document.paths };
    completeSchemas?.(document.components?.schemas ?? {});
  }
  return completeDocument(document);
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
