import { createService } from './bootstrap';
import { listen } from './platform/boot/listen';
import type { Shutdown } from './platform/boot/shutdown';
import type { Config } from './platform/config/config';

/** Builds the service in this process and listens; returns the address. */
export async function serve(config: Config, shutdown: Shutdown): Promise<string> {
  const service = await createService(config);
  shutdown.add(() => service.close());
  const url = await listen(service.app, config);
  shutdown.add(() => service.drain());
  return url;
}
