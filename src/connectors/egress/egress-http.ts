import type { Socket } from 'node:net';
import { Injectable } from '@nestjs/common';
import type { OutboundRequest, OutboundResponse, SocketTarget } from '../connector-context';
import { PermanentDeliveryError, RetryableDeliveryError } from '../delivery-error';
import { EgressPolicy } from './egress-policy';
import { EgressProxy } from './egress-proxy';
import { errorClassOf } from './error-class';
import { openGuardedSocket } from './guarded-socket';
import { HttpClient } from './http-client';
import { ExchangeError, type HttpAnswer, type HttpRequest } from './http-exchange';
import { parseTarget } from './parse-target';

/** What is kept of an answer; the rest is read and dropped, so that the connection can be used again. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_DROPPED_BYTES = 1024 * 1024;

/** The HTTP and the sockets that connectors get, under the same rules as webhooks. */
@Injectable()
export class EgressHttp {
  constructor(
    private readonly policy: EgressPolicy,
    private readonly client: HttpClient,
    private readonly proxy: EgressProxy,
  ) {}

  /** See `OutboundHttp`. */
  async request(
    { url, method, headers = {}, body, tls, timeoutMs = Infinity }: OutboundRequest,
    attempt: Pick<HttpRequest, 'destinationId' | 'deadline' | 'cancel'>,
  ): Promise<OutboundResponse> {
    const target = parseTarget(url);
    if (typeof target === 'string') {
      throw new PermanentDeliveryError('address_not_allowed', { excerpt: `The address ${target}.` });
    }
    const { destinationId, deadline, cancel } = attempt;
    const request: HttpRequest = {
      destinationId,
      deadline: Math.min(deadline, performance.now() + timeoutMs),
      cancel,
      target,
      method,
      headers,
      body,
      tls,
      maxKeptBytes: MAX_BODY_BYTES,
      maxReadBytes: MAX_BODY_BYTES + MAX_DROPPED_BYTES,
    };
    try {
      return responseOf(await this.client.send(request));
    } catch (error) {
      // What came of the answer is not shown: it may be that of another request than the delivery's.
      throw new RetryableDeliveryError(errorClassOf(error instanceof ExchangeError ? error.cause : error));
    }
  }

  /** See `ConnectorContext.connect`. */
  async connect(target: SocketTarget, signal: AbortSignal): Promise<Socket> {
    try {
      return await openGuardedSocket(this.policy, this.proxy, target, signal);
    } catch (error) {
      throw new RetryableDeliveryError(signal.aborted ? 'timeout' : errorClassOf(error));
    }
  }
}

function responseOf({ status, headers, body }: HttpAnswer): OutboundResponse {
  const flat = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    [value ?? ''].flat().join(', '),
  ]);
  return { status, headers: Object.fromEntries(flat) as Record<string, string>, body };
}
