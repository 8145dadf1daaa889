import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { BlockedAddressError, type EgressPolicy } from './egress-policy';

/** A connection that was made, and when its steps were over, by `performance.now()`. */
export interface Connection {
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
) => Connection | undefined;

/**
 * Makes connections for undici that obey the policy: literal addresses are checked here (a `lookup` is not called for
 * them), names in the lookup, and the address that the socket is really connected to before anything is sent on it.
 */
export function guardedConnect(policy: EgressPolicy, timeoutMs: number): GuardedConnect {
  const connect = buildConnector({ timeout: timeoutMs, lookup: policy.lookup });
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && policy.isBlocked(options.hostname)) {
      callback(new BlockedAddressError('literal address'), null);
      return undefined;
    }
    const isTls = options.protocol === 'https:';
    const connection: Connection = { startedAt: performance.now(), isTls, requests: 0 };
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
    return connection;
  };
}
