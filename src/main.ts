// First: the pool has its size from its first use on, which may be an import.
import './platform/config/thread-pool';
import 'reflect-metadata';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { announce } from './platform/boot/banner';
import { checkListenAddress, hostedUrl } from './platform/boot/listen';
import { migrateDatabase } from './platform/boot/migrate-database';
import { openDatabase } from './platform/boot/open-database';
import { runProcess } from './platform/boot/run-process';
import type { Shutdown } from './platform/boot/shutdown';
import type { Config } from './platform/config/config';
import { ProcessGroup } from './platform/processes/process-group';

void runProcess(async (given, shutdown) => {
  for (const warning of given.unreadVariables) Logger.warn(warning, 'Configuration');
  await checkListenAddress(given);
  const { config, close } = await openDatabase(given, shutdown.requested);
  shutdown.add(close);
  shutdown.requested.throwIfAborted();
  await migrateDatabase(config);
  shutdown.requested.throwIfAborted();
  const url = config.processes > 1 ? await serveByMany(config, shutdown) : await serveHere(config, shutdown);
  shutdown.bootFinished();
  announce(config, url, Math.round(process.uptime() * 1000));
});

async function serveHere(config: Config, shutdown: Shutdown): Promise<string> {
  // Not loaded by a process that only looks after others: it would cost that one 70 MB.
  const { serve } = await import('./serve.js');
  return serve(config, shutdown);
}

async function serveByMany(config: Config, shutdown: Shutdown): Promise<string> {
  const group = new ProcessGroup({
    processes: config.processes,
    program: join(__dirname, 'process.js'),
    env: { CDP_DATABASE_URL: config.databaseUrl, CDP_PROCESSES: '1' },
  });
  shutdown.add(() => group.stop());
  const { port } = await group.start();
  return hostedUrl(config.http.host, port);
}
