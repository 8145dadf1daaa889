import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Connector } from './connector';
import { S3ExportConnector } from './s3-export/s3-export.connector';
import { WebhookConnector } from './webhook/webhook.connector';

/** The connectors that `CDP_CONNECTORS` names. */
export const LOADED_CONNECTORS = Symbol('LOADED_CONNECTORS');

/** The connectors a destination may name as its `type`. */
@Injectable()
export class ConnectorRegistry implements OnModuleDestroy {
  private readonly connectors: ReadonlyMap<string, Connector>;

  constructor(
    webhook: WebhookConnector,
    s3Export: S3ExportConnector,
    @Inject(LOADED_CONNECTORS) loaded: readonly Connector[],
  ) {
    this.connectors = new Map([webhook, s3Export, ...loaded].map((connector) => [connector.id, connector]));
  }

  get(type: string): Connector | undefined {
    return this.connectors.get(type);
  }

  all(): Connector[] {
    return [...this.connectors.values()];
  }

  /** The ids of all installed connectors. */
  ids(): string[] {
    return [...this.connectors.keys()];
  }

  async onModuleDestroy(): Promise<void> {
    for (const connector of this.all()) await connector.close?.();
  }
}
