import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config/config';
import { BootError } from './boot-error';

/** Starts the HTTP listener and answers its address. @throws BootError when the address cannot be had. */
export async function listen(app: NestFastifyApplication, config: Config): Promise<string> {
  const { host } = config;
  const { PORT: port } = config.env;
  try {
    await app.listen(port, host);
  } catch (error) {
    throw new BootError(`Cannot listen on ${host}:${port}: ${remedyFor(error)}`, { cause: error });
  }
  const url = new URL(await app.getUrl());
  if (['0.0.0.0', '[::]', '[::1]'].includes(url.hostname)) url.hostname = 'localhost';
  return url.origin;
}

function remedyFor(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (code === 'EADDRINUSE') return 'another program uses that port. Stop it, or set PORT to another one.';
  if (code === 'EACCES') return 'this user may not use that port. Set PORT to 1024 or above.';
  if (code === 'EADDRNOTAVAIL') return 'this machine has no such address. Set HOST to one it has.';
  return String(error);
}
