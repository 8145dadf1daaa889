import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { createService } from './bootstrap';
import { announce } from './platform/boot/banner';
import { withSecrets } from './platform/boot/development-secrets';
import { listen } from './platform/boot/listen';
import { migrateDatabase } from './platform/boot/migrate-database';
import { openDatabase } from './platform/boot/open-database';
import { reportBootFailure } from './platform/boot/report-boot-failure';
import { Shutdown, ShutdownRequested } from './platform/boot/shutdown';
import { Config } from './platform/config/config';
import { PinoLoggerService } from './platform/logging/pino-logger.service';

/** Time for PostgreSQL and the connections to close, after the grace that requests and deliveries get. */
const CLOSING_MS = 15_000;

async function start(): Promise<void> {
  const given = Config.ofProcess();
  Logger.overrideLogger(new PinoLoggerService(given));
  const shutdown = new Shutdown(
    given.shutdownDrainMs + given.env.CDP_SHUTDOWN_GRACE_SECONDS * 1000 + CLOSING_MS,
  );
  try {
    await boot(withSecrets(given), shutdown);
  } catch (error) {
    await shutdown.run();
    if (!(error instanceof ShutdownRequested)) throw error;
    process.exit(0);
  }
}

async function boot(given: Config, shutdown: Shutdown): Promise<void> {
  const database = await openDatabase(given);
  shutdown.add(() => database.close());
  shutdown.throwIfRequested();
  await migrateDatabase(database.config);
  shutdown.throwIfRequested();
  const service = await createService(database.config);
  shutdown.add(() => service.close());
  const url = await listen(service.app, database.config);
  shutdown.add(() => service.drain());
  shutdown.bootFinished();
  announce(database.config, url, Math.round(process.uptime() * 1000));
}

start().catch((error: unknown) => {
  reportBootFailure(error);
  process.exit(1);
});
