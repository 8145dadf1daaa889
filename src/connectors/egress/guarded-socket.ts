import { once } from 'node:events';
import { createConnection, isIP, type Socket } from 'node:net';
import type { SocketTarget } from '../connector-context';
import { BlockedAddressError, type EgressPolicy } from './egress-policy';
import type { EgressProxy } from './egress-proxy';
import { parseTarget } from './parse-target';

/**
 * Opens a TCP connection that obeys the policy, as `guardedConnect` does for HTTP: a literal address is checked here, a
 * name in the lookup, and the connected address before the socket is handed out; what a proxy is to connect to before
 * that.
 * @throws BlockedAddressError, or the error of the socket or of the signal
 */
export async function openGuardedSocket(
  policy: EgressPolicy,
  proxy: EgressProxy,
  { host, port }: SocketTarget,
  signal: AbortSignal,
): Promise<Socket> {
  if (isIP(host) !== 0 && policy.isBlocked(host)) throw new BlockedAddressError('literal address');
  signal.throwIfAborted();
  if (proxy.leadsTo(host)) {
    const plain = plainHost(host);
    await policy.judge(plain);
    signal.throwIfAborted();
    return proxy.connect({ host: plain, port }, signal);
  }
  const socket = createConnection({ host, port, lookup: policy.lookup });
  try {
    // Rejects when the socket emits an error or the signal is aborted.
    await once(socket, 'connect', { signal });
    if (socket.remoteAddress === undefined || policy.isBlocked(socket.remoteAddress))
      throw new BlockedAddressError('connected address');
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

/**
 * What a proxy would take for another host than the one that is judged has to be told by its usual spelling.
 * @throws BlockedAddressError when it is no host at all
 */
function plainHost(host: string): string {
  if (isIP(host) !== 0) return host;
  const target = /^[\w.-]+$/.test(host) ? parseTarget(`http://${host}/`) : 'is no host';
  if (typeof target === 'string') throw new BlockedAddressError(target);
  return target.host;
}
