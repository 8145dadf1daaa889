import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { BootError } from '../boot/boot-error';
import { Config } from '../config/config';
import { processSlot } from '../processes/process-slot';
import { ExposedMetrics } from './exposed-metrics';
import { Metrics } from './metrics';

/** More than the scrapers of any installation. A connection that is open for longer is no scraper's. */
const MAX_CONNECTIONS = 50;
const REQUEST_TIMEOUT_MS = 10_000;

/**
 * `/metrics` on `CDP_METRICS_PORT`, a port that only monitoring has to reach. Of several processes of one start the
 * first one has it, and shows all of them.
 */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
    if (request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics') void this.answer(response);
    else response.writeHead(404).end();
  });

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
    private readonly exposed: ExposedMetrics,
  ) {
    this.server.maxConnections = MAX_CONNECTIONS;
  }

  /** Where it listens, once the service does. */
  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** @throws BootError when the port cannot be had. */
  async onApplicationBootstrap(): Promise<void> {
    if ((processSlot() ?? 1) !== 1) return;
    const { http, metrics } = this.config;
    const { host } = http;
    const { port } = metrics;
    try {
      // Exclusive: not through the process that holds the port of the service, which waits for that one.
      await once(this.server.listen({ host, port, exclusive: true }), 'listening');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new BootError(`The metrics cannot be served (${reason}): set CDP_METRICS_PORT to a free port.`, {
        cause: error,
      });
    }
  }

  onModuleDestroy(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private async answer(response: ServerResponse): Promise<void> {
    try {
      const text = await this.exposed.text();
      response
        .writeHead(200, { 'content-type': this.metrics.contentType, 'cache-control': 'no-store' })
        .end(text);
    } catch {
      // A metric that cannot be made is a scrape that failed, which monitoring shows.
      response.writeHead(500).end();
    }
  }
}
