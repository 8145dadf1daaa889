import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as requestPlainly } from 'node:http';
import { request as requestSecurely } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../platform/config/config';
import { ThrottledWarning } from '../../platform/logging/throttled-warning';
import type { SocketTarget } from '../connector-context';
import { isInRange, parseRange } from './blocked-address';

/** The proxy made no connection to the target. */
class ProxyError extends Error {
  readonly code = 'CDP_PROXY_FAILED';
}

/**
 * The way out of a network that lets nobody out but its proxy (`CDP_EGRESS_PROXY`): HTTP CONNECT, for targets with and
 * without TLS alike. The proxy is the operator's: the egress policy says nothing of its own address.
 */
@Injectable()
export class EgressProxy {
  private readonly warning = new ThrottledWarning(new Logger(EgressProxy.name));
  private readonly proxy: URL | undefined;
  private readonly isBypassed: (host: string) => boolean;

  constructor({ connectors: { egressProxy } }: Config) {
    this.proxy = egressProxy.url;
    this.isBypassed = bypass(egressProxy.bypass);
  }

  /** Whether a host is connected to through the proxy. */
  leadsTo(host: string): boolean {
    return this.proxy !== undefined && !this.isBypassed(host);
  }

  /**
   * A connection to the target, through the proxy. The target was judged by who asks.
   * @throws ProxyError, also when the signal ends it
   */
  async connect(target: SocketTarget, signal: AbortSignal): Promise<Socket> {
    try {
      const request = this.ask(target, signal);
      request.end();
      const [answer, socket, head] = (await once(request, 'connect')) as [IncomingMessage, Socket, Buffer];
      const { statusCode = 0 } = answer;
      if (statusCode < 200 || statusCode > 299) {
        socket.destroy();
        throw new ProxyError(`it answered ${statusCode}`);
      }
      // What a receiver says first, of protocols in which it does.
      if (head.length > 0) socket.unshift(head);
      return socket;
    } catch (error) {
      const why = error instanceof ProxyError ? error.message : reasonOf(error);
      this.warning.warn(`The proxy of CDP_EGRESS_PROXY made no connection: ${why}`, { host: target.host });
      throw new ProxyError(why);
    }
  }

  private ask({ host, port }: SocketTarget, signal: AbortSignal): ClientRequest {
    const { proxy } = this;
    if (proxy === undefined) throw new ProxyError('there is none');
    const request = proxy.protocol === 'https:' ? requestSecurely : requestPlainly;
    const name = proxy.hostname.replace(/^\[|\]$/g, '');
    const authority = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
    return request({
      method: 'CONNECT',
      host: name,
      port: proxy.port,
      // Of the proxy's own certificate; else it would be that of the header `host`. An address has none.
      servername: isIP(name) === 0 ? name : '',
      path: authority,
      headers: { host: authority, ...credentialsOf(proxy) },
      agent: false,
      signal,
    });
  }
}

function credentialsOf({ username, password }: URL): { 'proxy-authorization'?: string } {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
}

/** Codes only: the message of a parser holds what was parsed. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { readonly code?: unknown; readonly name?: string };
  return (typeof code === 'string' ? code : name) ?? 'it failed';
}

/** Which hosts are not for the proxy: names, `.example.com` for all names below one, and networks as CIDRs. */
function bypass(entries: readonly string[]): (host: string) => boolean {
  const ranges = entries.filter((entry) => entry.includes('/')).map(parseRange);
  const names = entries.filter((entry) => !entry.includes('/')).map((entry) => entry.toLowerCase());
  return (host) => {
    if (isIP(host) !== 0) return names.includes(host) || ranges.some((range) => isInRange(host, range));
    const name = host.toLowerCase().replace(/\.+$/, '');
    return names.some((entry) => (entry.startsWith('.') ? name.endsWith(entry) : name === entry));
  };
}
