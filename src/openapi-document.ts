import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import { AppModule } from './app.module';
import { InstalledConnectorsModule } from './connectors/installed-connectors.module';
import { hooksOpenApi } from './hooks/api/hooks-openapi';
import { eventsOpenApi } from './ingestion/api/events-openapi';
import { limitsOf } from './ingestion/parsing/limits';
import { Config } from './platform/config/config';
import { createHttpAdapter } from './platform/http/server/http-adapter';
import { buildOpenApiDocument } from './platform/openapi/openapi';
import { openQueueBackend } from './platform/queues/queue-backend';
import { openTracing } from './platform/tracing/open-tracing';

const NOBODY = 'postgres://nobody@127.0.0.1:1/nothing';

/** The OpenAPI document from the code alone: nothing is opened for it, no database and no queue. */
export async function openApiDocument(): Promise<OpenAPIObject> {
  const config = Config.from({ NODE_ENV: 'test', CDP_DATABASE_URL: NOBODY });
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(
      config,
      openQueueBackend(config),
      await openTracing(config),
      await InstalledConnectorsModule.load(config),
    ),
    createHttpAdapter({
      requestTimeoutMs: config.http.requestTimeoutMs,
      prepareAnswer: () => undefined,
      stringify: JSON.stringify,
    }),
    { preview: true, logger: false },
  );
  return buildOpenApiDocument(app, [eventsOpenApi(limitsOf(config)), hooksOpenApi()]);
}
