import { isIP, type Socket } from 'node:net';
import { buildConnector } from 'undici';
import { BlockedAddressError, type EgressPolicy } from './egress-policy';

/** How long the steps of a connection took, in milliseconds from its start. */
export interface ConnectTimes {
  readonly startedAt: number;
  resolvedAt?: number;
  connectedAt?: number;
  securedAt?: number;
  /** Requests sent on the connection so far. */
  requests: number;
}

const timesOfSocket = new WeakMap<object, ConnectTimes>();

/** The times of a connection that {@link guardedConnect} made. */
export function connectTimesOf(socket: object): ConnectTimes | undefined {
  return timesOfSocket.get(socket);
}

/**
 * Makes connections for undici that obey the policy: literal addresses are checked here (a `lookup` is not called for
 * them), names in the lookup, and the address that the socket is really connected to before anything is sent on it.
 */
export function guardedConnect(policy: EgressPolicy, timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: timeoutMs, lookup: policy.lookup });
  return (options, callback) => {
    if (isIP(options.hostname) !== 0 && policy.isBlocked(options.hostname)) {
      return callback(new BlockedAddressError('literal address'), null);
    }
    const times: ConnectTimes = { startedAt: performance.now(), requests: 0 };
    // undici answers the socket at once, its types do not say so.
    const connecting = connect(options, (...result) => {
      const [error, socket] = result;
      if (error !== null) return callback(error, null);
      if (socket.remoteAddress === undefined || policy.isBlocked(socket.remoteAddress)) {
        socket.destroy();
        return callback(new BlockedAddressError('connected address'), null);
      }
      times.securedAt = performance.now();
      timesOfSocket.set(socket, times);
      callback(null, socket);
    }) as unknown as Socket;
    connecting.once('lookup', () => (times.resolvedAt = performance.now()));
    // Before undici's own listener, which sends the first request.
    connecting.prependOnceListener('connect', () => (times.connectedAt = performance.now()));
  };
}
