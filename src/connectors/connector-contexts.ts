import type { Socket } from 'node:net';
import { Injectable, Logger } from '@nestjs/common';
import type { JsonObject } from '../events/customer-event';
import type {
  ConnectorContext,
  ConnectorCursor,
  ConnectorLogger,
  OutboundHttp,
  OutboundRequest,
  SocketTarget,
} from './connector-context';
import { ConnectorCursors } from './connector-cursors';
import { EgressHttp } from './egress/egress-http';

/** The try that a context is for. */
export interface Try {
  readonly destinationId: string;
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number;
  readonly previousSecrets?: readonly JsonObject[];
  readonly traceparent?: string;
  /** Ends the try before its deadline. */
  readonly cancel?: AbortSignal;
}

/** Makes what connectors get of the service. */
@Injectable()
export class ConnectorContexts {
  readonly logger = new Logger('Connector');

  constructor(
    readonly egress: EgressHttp,
    readonly cursors: ConnectorCursors,
  ) {}

  contextOf(attempt: Try): ConnectorContext {
    return new LazyContext(attempt, this);
  }
}

/** Nothing is made before it is asked for: a webhook needs none of it, thousands of times a second. */
class LazyContext implements ConnectorContext {
  private madeSignal: AbortSignal | undefined;

  constructor(
    private readonly attempt: Try,
    private readonly tools: ConnectorContexts,
  ) {}

  get destinationId(): string {
    return this.attempt.destinationId;
  }

  get deadline(): number {
    return this.attempt.deadline;
  }

  get previousSecrets(): readonly JsonObject[] | undefined {
    return this.attempt.previousSecrets;
  }

  get traceparent(): string | undefined {
    return this.attempt.traceparent;
  }

  get signal(): AbortSignal {
    this.madeSignal ??= this.makeSignal();
    return this.madeSignal;
  }

  get http(): OutboundHttp {
    return { request: (request) => this.tools.egress.request(this.traced(request), this.attempt) };
  }

  get connect(): (target: SocketTarget) => Promise<Socket> {
    return (target) => this.tools.egress.connect(target, this.signal);
  }

  get logger(): ConnectorLogger {
    const { destinationId, tools } = this;
    return {
      info: (message, fields = {}) => tools.logger.log(message, { ...fields, destinationId }),
      warn: (message, fields = {}) => tools.logger.warn(message, { ...fields, destinationId }),
    };
  }

  get cursor(): ConnectorCursor {
    return this.tools.cursors.of(this.destinationId);
  }

  private traced(request: OutboundRequest): OutboundRequest {
    const { traceparent } = this.attempt;
    if (traceparent === undefined) return request;
    return { ...request, headers: { ...request.headers, traceparent } };
  }

  private makeSignal(): AbortSignal {
    const { deadline, cancel } = this.attempt;
    const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(deadline - performance.now())));
    return cancel === undefined ? timeout : AbortSignal.any([timeout, cancel]);
  }
}
