import { Injectable } from '@nestjs/common';
import type { Connector } from './connector';
import { S3ExportConnector } from './s3-export/s3-export.connector';
import { WebhookConnector } from './webhook/webhook.connector';

/** The connectors a destination may name as its `type`. */
@Injectable()
export class ConnectorRegistry {
  private readonly connectors: ReadonlyMap<string, Connector>;

  constructor(webhook: WebhookConnector, s3Export: S3ExportConnector) {
    const installed: Connector[] = [webhook, s3Export];
    this.connectors = new Map(installed.map((connector) => [connector.id, connector]));
  }

  get(type: string): Connector | undefined {
    return this.connectors.get(type);
  }

  /** The ids of all installed connectors. */
  ids(): string[] {
    return [...this.connectors.keys()];
  }
}
