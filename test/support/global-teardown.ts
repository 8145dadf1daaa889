import { rmSync } from 'node:fs';
import { dropTemplates } from './test-database';

export default async function globalTeardown(): Promise<void> {
  const services = globalThis.testServices;
  if (services === undefined) return;
  services.redis?.kill('SIGTERM');
  if (services.postgres === undefined) return dropTemplates();
  await services.postgres.stop();
  rmSync(services.postgres.directory, { recursive: true, force: true });
}
