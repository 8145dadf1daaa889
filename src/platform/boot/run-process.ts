import { Logger } from '@nestjs/common';
import { Config } from '../config/config';
import { logNodeWarnings } from '../logging/log-node-warnings';
import { PinoLoggerService } from '../logging/pino-logger.service';
import { withSecrets } from './development-secrets';
import { tuneHeap } from './tune-heap';
import { reportBootFailure } from './report-boot-failure';
import { Shutdown, ShutdownRequested } from './shutdown';

/** Time for PostgreSQL and the connections to close, after the grace that requests and deliveries get. */
const CLOSING_MS = 15_000;
/** A process that waits for others to stop has to wait for their deadlines. */
const WAITING_MS = 5_000;

/** Runs a process: sets up logs, secrets and shutdown, and reports in one line what the operator can mend. */
export async function runProcess(boot: (config: Config, shutdown: Shutdown) => Promise<void>): Promise<void> {
  tuneHeap();
  try {
    const given = Config.ofProcess();
    Logger.overrideLogger(new PinoLoggerService(given));
    logNodeWarnings();
    const graceMs = given.shutdown.drainMs + given.shutdown.graceMs;
    const shutdown = new Shutdown(graceMs + CLOSING_MS + (given.processes > 1 ? WAITING_MS : 0));
    await bootOrStop(() => boot(withSecrets(given), shutdown), shutdown);
  } catch (error) {
    reportBootFailure(error);
    process.exit(1);
  }
}

async function bootOrStop(boot: () => Promise<void>, shutdown: Shutdown): Promise<void> {
  try {
    await boot();
  } catch (error) {
    await shutdown.run();
    if (!(error instanceof ShutdownRequested)) throw error;
    process.exit(0);
  }
}
