export default async function globalTeardown(): Promise<void> {
  const services = globalThis.testServices;
  services?.redis?.kill('SIGTERM');
  await services?.postgres.stop();
}
