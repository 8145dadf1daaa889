import { once } from 'node:events';
import { createServer } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../config/config';
import { BootError } from './boot-error';
import { errorCode } from './error-code';

/** The port that a URL leaves out. */
const HTTP_PORT = 80;

/**
 * Tries the address before anything else is opened, so that a port in use is found before a database is made for it.
 * @throws BootError when the address cannot be had.
 */
export async function checkListenAddress(config: Config): Promise<void> {
  const server = createServer();
  try {
    // Rejects when the server emits an error.
    await once(server.listen(config.http.port, config.http.host), 'listening');
  } catch (error) {
    throw cannotListen(error, config);
  }
  await once(server.close(), 'close');
}

/** Starts the HTTP listener and returns its address. @throws BootError when the address cannot be had. */
export async function listen(app: NestFastifyApplication, config: Config): Promise<string> {
  try {
    await app.listen(config.http.port, config.http.host);
  } catch (error) {
    throw cannotListen(error, config);
  }
  const { hostname, port: actualPort } = new URL(await app.getUrl());
  return hostedUrl(hostname, Number(actualPort || HTTP_PORT));
}

function cannotListen(error: unknown, { http: { host, port } }: Config): BootError {
  if (error instanceof BootError) return error;
  const remedy = remedyFor(error);
  // Other parts that start together with the listener say what they lack themselves.
  const message =
    remedy === undefined ? `Cannot start: ${String(error)}` : `Cannot listen on ${host}:${port}: ${remedy}`;
  return new BootError(message, { cause: error });
}

/** The address to tell people. @param host an address as a URL has it, or a name */
export function hostedUrl(host: string, port: number): string {
  const everywhere = ['0.0.0.0', '::', '[::]', '[::1]', '::1'].includes(host);
  const named = everywhere ? 'localhost' : host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
  return new URL(`http://${named}:${port}`).origin;
}

function remedyFor(error: unknown): string | undefined {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') return 'another program uses that port. Stop it, or set PORT to another one.';
  if (code === 'EACCES') return 'this user may not use that port. Set PORT to 1024 or above.';
  if (code === 'EADDRNOTAVAIL') return 'this machine has no such address. Set HOST to one it has.';
  return undefined;
}
