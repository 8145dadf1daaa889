import 'reflect-metadata';
import { run } from './platform/boot/run';
import { serve } from './serve';

// One of several processes. The one that started them (`main.ts`) has opened and migrated the database.
void run(async (config, shutdown) => {
  await serve(config, shutdown);
  shutdown.bootFinished();
});
