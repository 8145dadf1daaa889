import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module';
import { InstalledConnectorsModule } from './connectors/installed-connectors.module';
import { stringifyExactly } from './events/exact-json';
import { findExistingExamples } from './existing-examples';
import type { Config } from './platform/config/config';
import { allowOriginOfEvents } from './ingestion/api/cors';
import { hooksOpenApi } from './hooks/api/hooks-openapi';
import { eventsOpenApi } from './ingestion/api/events-openapi';
import { limitsOf } from './ingestion/parsing/limits';
import { closeHttp, endConnectionsWhile } from './platform/http/server/close-http';
import { createHttpAdapter } from './platform/http/server/http-adapter';
import { logRequests } from './platform/http/server/request-log';
import { Database } from './platform/database/database';
import { ReplicaDatabase } from './platform/database/replica-database';
import { DatabaseProbe } from './platform/health/database-probe';
import { Readiness } from './platform/health/readiness';
import { mountLogin } from './platform/login/mount-login';
import { PinoLoggerService } from './platform/logging/pino-logger.service';
import { mountOpenApi } from './platform/openapi/openapi';
import { mountQueueBoard } from './platform/queue-board/queue-board';
import { openQueueBackend } from './platform/queues/queue-backend';
import { openTracing } from './platform/tracing/open-tracing';
import { RequestTraces } from './platform/tracing/request-traces';

/** A running service: what `main.ts` and the tests start and stop. */
export interface Service {
  readonly app: NestFastifyApplication;
  /**
   * Tells load balancers and clients to go elsewhere and, for `CDP_SHUTDOWN_DRAIN_SECONDS`, serves those that have
   * not heard it yet.
   */
  drain(): Promise<void>;
  /** Stops intake and workers, then lets go of every connection. */
  close(): Promise<void>;
}

/** Builds the service against a database that exists and is migrated. Does not listen yet. */
export async function createService(config: Config): Promise<Service> {
  const connectors = config.knowsDestinations ? await InstalledConnectorsModule.load(config) : undefined;
  const queueBackend = openQueueBackend(config);
  const tracing = await openTracing(config);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, queueBackend, tracing, connectors),
    createHttpAdapter({
      requestTimeoutMs: config.http.requestTimeoutMs,
      trustProxy: config.http.trustProxy,
      roles: config.hasAllRoles ? undefined : config.roles,
      prepareAnswer: allowOriginOfEvents,
      stringify: stringifyExactly,
    }),
    { abortOnError: false, logger: new PinoLoggerService(config) },
  );
  if (config.hasRole('management')) {
    if (config.management.hasSwagger) {
      const findExisting = config.production ? undefined : () => findExistingExamples(app);
      mountOpenApi(app, [eventsOpenApi(limitsOf(config)), hooksOpenApi()], findExisting);
    }
    mountLogin(app);
    mountQueueBoard(app);
  }
  app.get(RequestTraces).mount(app.getHttpAdapter().getInstance());
  logRequests(app.getHttpAdapter().getInstance(), config);
  const readiness = app.get(Readiness);
  endConnectionsWhile(app, () => readiness.isDraining);
  return {
    app,
    drain: async () => {
      readiness.drain();
      await delay(config.shutdown.drainMs);
    },
    close: async () => {
      readiness.drain();
      const probe = app.get(DatabaseProbe);
      probe.startEndingVainWaits();
      // HTTP first of all, because Nest ends it only after the first hooks have taken things away.
      await closeHttp(app, config.shutdown.graceMs);
      await app.close();
      await queueBackend.close();
      await tracing.close();
      const closing = Promise.all([app.get(ReplicaDatabase).close(), app.get(Database).close()]);
      // Otherwise the last rounds of the background would be waited for, which open connections in vain.
      if ((await probe.state()) !== 'down') await closing;
      await probe.close();
    },
  };
}
