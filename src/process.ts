import 'reflect-metadata';
import { runProcess } from './platform/boot/run-process';
import { serve } from './serve';

// One of several processes. The one that started them (`main.ts`) has opened and migrated the database.
void runProcess(async (config, shutdown) => {
  await serve(config, shutdown);
  shutdown.bootFinished();
});
