import { isIP, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { buildConnector } from 'undici';
import type { TlsMaterial } from '../connector-context';
import { BlockedAddressError, type EgressPolicy } from './egress-policy';
import type { EgressProxy } from './egress-proxy';

/** A connection that was made, and when its steps were over, by `performance.now()`. */
export interface GuardedConnection {
  readonly startedAt: number;
  resolvedAt?: number;
  connectedAt?: number;
  securedAt?: number;
  readonly isTls: boolean;
  /** Requests sent on it so far. */
  requests: number;
}

/** Connects as undici asks for it, and says how it went. */
export type GuardedConnect = (
  options: buildConnector.Options,
  callback: buildConnector.Callback,
) => GuardedConnection | undefined;

/**
 * Makes connections for undici that obey the policy: literal addresses are checked here (a `lookup` is not called for
 * them), names in the lookup, and the address that the socket is really connected to before anything is sent on it.
 * What a proxy is to connect to is judged before the proxy is asked.
 *
 * To be made anew for other certificates: it resumes the TLS sessions that it has begun, in which neither side shows
 * its certificate again.
 */
export function guardedConnect(
  policy: EgressPolicy,
  proxy: EgressProxy,
  { timeoutMs, tls }: ConnectOptions,
): GuardedConnect {
  const connect = lazyConnector(policy, { timeoutMs, tls });
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && policy.isBlocked(options.hostname)) {
      callback(new BlockedAddressError('literal address'), null);
      return undefined;
    }
    const isTls = options.protocol === 'https:';
    const connection: GuardedConnection = { startedAt: performance.now(), isTls, requests: 0 };
    if (proxy.leadsTo(options.hostname)) {
      tunnel(policy, proxy, { options, connection, timeoutMs }).then(
        (socket) => secure(connect, { options, connection, socket }, callback),
        (error: Error) => callback(error, null),
      );
    } else {
      try {
        connectDirectly(policy, connect, { options, connection }, callback);
      } catch (error) {
        callback(error as Error, null);
      }
    }
    return connection;
  };
}

interface ConnectOptions {
  readonly timeoutMs: number;
  readonly tls?: TlsMaterial | undefined;
}

/** Not made before it is needed: a key that cannot be used any more is a connection that fails. */
function lazyConnector(policy: EgressPolicy, { timeoutMs, tls }: ConnectOptions): buildConnector.connector {
  let connector: buildConnector.connector | undefined;
  return (options, callback) => {
    connector ??= buildConnector({
      timeout: timeoutMs,
      lookup: policy.lookup,
      ...(tls === undefined ? {} : { secureContext: createSecureContext(tls) }),
    });
    return connector(options, callback);
  };
}

interface Wanted {
  readonly options: buildConnector.Options;
  readonly connection: GuardedConnection;
}

function connectDirectly(
  policy: EgressPolicy,
  connect: buildConnector.connector,
  { options, connection }: Wanted,
  callback: buildConnector.Callback,
): void {
  // undici answers the socket at once, its types do not say so.
  const connecting = connect(options, (...result) => {
    const [error, socket] = result;
    if (error !== null) return callback(error, null);
    if (socket.remoteAddress === undefined || policy.isBlocked(socket.remoteAddress)) {
      socket.destroy();
      return callback(new BlockedAddressError('connected address'), null);
    }
    connection.securedAt = performance.now();
    callback(null, socket);
  }) as unknown as Socket;
  connecting.once('lookup', () => (connection.resolvedAt = performance.now()));
  // Before undici's own listener, which sends the first request.
  connecting.prependOnceListener('connect', () => (connection.connectedAt = performance.now()));
}

/** @throws BlockedAddressError, ProxyError */
async function tunnel(
  policy: EgressPolicy,
  proxy: EgressProxy,
  { options, connection, timeoutMs }: Wanted & { readonly timeoutMs: number },
): Promise<Socket> {
  const { hostname, port } = options;
  // Resolvers take final dots for the root, and proxies in ways of their own.
  const host = hostname.replace(/\.+$/, '');
  await policy.judge(host);
  connection.resolvedAt = performance.now();
  const target = { host, port: Number(port) || (connection.isTls ? 443 : 80) };
  const socket = await proxy.connect(target, AbortSignal.timeout(timeoutMs));
  connection.connectedAt = performance.now();
  return socket;
}

/** The receiver's own TLS, inside the tunnel. */
function secure(
  connect: buildConnector.connector,
  { options, connection, socket }: Wanted & { readonly socket: Socket },
  callback: buildConnector.Callback,
): void {
  if (!connection.isTls) return callback(null, socket);
  const fail = (error: Error): void => {
    socket.destroy();
    callback(error, null);
  };
  try {
    connect({ ...options, httpSocket: socket }, (...result) => {
      const [error, secured] = result;
      if (error !== null) return fail(error);
      connection.securedAt = performance.now();
      callback(null, secured);
    });
  } catch (error) {
    fail(error as Error);
  }
}
