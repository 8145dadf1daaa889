import 'reflect-metadata';
import type { ConnectorContext } from '../connectors/connector-context';
import { EgressPolicy } from '../connectors/egress/egress-policy';
import { EgressHttp } from '../connectors/egress/egress-http';
import { EgressProxy } from '../connectors/egress/egress-proxy';
import { HttpClient } from '../connectors/egress/http-client';
import type { JsonValue } from '../events/customer-event';
import { Config } from '../platform/config/config';

export interface TestContext extends ConnectorContext {
  /** What was logged, as text. */
  readonly logs: string[];
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 15_000;

/**
 * What a connector gets of the service: its real HTTP and sockets (127.0.0.1 is allowed), a log and a cursor in memory.
 */
export function testContext(timeoutMs = DEFAULT_TIMEOUT_MS): TestContext {
  const config = Config.from({ NODE_ENV: 'test' });
  const policy = new EgressPolicy(config);
  const proxy = new EgressProxy(config);
  const client = new HttpClient(policy, proxy);
  const egress = new EgressHttp(policy, client, proxy);
  const destinationId = '0190a1b2-0000-7000-8000-00000000dddd';
  const deadline = performance.now() + timeoutMs;
  const signal = AbortSignal.timeout(timeoutMs);
  const values = new Map<string, JsonValue>();
  const logs: string[] = [];
  const log = (message: string, fields = {}): void => void logs.push(`${message} ${JSON.stringify(fields)}`);
  return {
    destinationId,
    deadline,
    signal,
    http: { request: (request) => egress.request(request, { destinationId, deadline }) },
    connect: (target) => egress.connect(target, signal),
    logger: { info: log, warn: log },
    cursor: {
      get: async (key) => values.get(key),
      set: async (key, value) => void (value === null ? values.delete(key) : values.set(key, value)),
    },
    logs,
    close: () => client.onModuleDestroy(),
  };
}
