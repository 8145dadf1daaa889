import { rmSync } from 'node:fs';

export default async function globalTeardown(): Promise<void> {
  const services = globalThis.testServices;
  if (services === undefined) return;
  services.redis?.kill('SIGTERM');
  await services.postgres.stop();
  rmSync(services.directory, { recursive: true, force: true });
}
