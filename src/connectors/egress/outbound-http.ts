import type { Socket } from 'node:net';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Agent, request as send } from 'undici';
import type { OutboundRequest, OutboundResponse, SocketTarget } from '../connector-context';
import { PermanentDeliveryError, RetryableDeliveryError } from '../delivery-error';
import { errorClassOf } from '../webhook/error-class';
import { EgressPolicy } from './egress-policy';
import { guardedConnect } from './guarded-connect';
import { openGuardedSocket } from './guarded-socket';
import { parseTarget } from './parse-target';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_MS = 10_000;
/** What is kept of an answer; the rest is read and dropped, so that the connection can be used again. */
const MAX_BODY_BYTES = 256 * 1024;
const MAX_DROPPED_BYTES = 1024 * 1024;

/** The HTTP and the sockets that connectors get, under the same rules as webhooks. */
@Injectable()
export class EgressHttp implements OnModuleDestroy {
  private readonly agent: Agent;

  constructor(private readonly policy: EgressPolicy) {
    this.agent = new Agent({
      connect: guardedConnect(policy, CONNECT_TIMEOUT_MS),
      keepAliveTimeout: KEEP_ALIVE_MS,
      // The signal of the try ends it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /** See `OutboundHttp`. */
  async request(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const target = parseTarget(request.url);
    if (typeof target === 'string') {
      throw new PermanentDeliveryError('address_not_allowed', { excerpt: `The address ${target}.` });
    }
    try {
      return await this.exchange(request, signal);
    } catch (error) {
      throw noAnswer(error, signal);
    }
  }

  /** See `ConnectorContext.connect`. */
  async connect(target: SocketTarget, signal: AbortSignal): Promise<Socket> {
    try {
      return await openGuardedSocket(this.policy, target, signal);
    } catch (error) {
      throw noAnswer(error, signal);
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.agent.destroy();
  }

  private async exchange(request: OutboundRequest, signal: AbortSignal): Promise<OutboundResponse> {
    const { url, method, headers, body } = request;
    const answer = await send(url, { method, headers, body, signal, dispatcher: this.agent });
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of answer.body as AsyncIterable<Buffer>) {
      if (bytes < MAX_BODY_BYTES) chunks.push(chunk.subarray(0, MAX_BODY_BYTES - bytes));
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES + MAX_DROPPED_BYTES) break;
    }
    return { status: answer.statusCode, headers: flat(answer.headers), body: Buffer.concat(chunks) };
  }
}

function noAnswer(error: unknown, signal: AbortSignal): RetryableDeliveryError {
  if (signal.aborted) return new RetryableDeliveryError('timeout');
  return new RetryableDeliveryError(errorClassOf(error instanceof Error ? error : new Error(String(error))));
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value ?? ''].flat().join(', ')]),
  );
}
