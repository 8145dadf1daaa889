import { Module } from '@nestjs/common';
import { Config } from '../platform/config/config';
import { ConnectorContexts } from './connector-contexts';
import { ConnectorCursors } from './connector-cursors';
import { EgressPolicy } from './egress/egress-policy';
import { EgressHttp } from './egress/outbound-http';
import { loadConnectors } from './load-connectors';
import { ConnectorRegistry, LOADED_CONNECTORS } from './registry';
import { resolveKit } from './resolve-kit';
import { S3ExportConnector } from './s3-export/s3-export.connector';
import { HttpPoster } from './webhook/http-poster';
import { WebhookConnector } from './webhook/webhook.connector';

@Module({
  providers: [
    {
      provide: LOADED_CONNECTORS,
      useFactory: ({ env }: Config) => {
        if (env.CDP_CONNECTORS.length > 0) resolveKit();
        return loadConnectors(env.CDP_CONNECTORS, process.cwd());
      },
      inject: [Config],
    },
    ConnectorRegistry,
    WebhookConnector,
    HttpPoster,
    S3ExportConnector,
    ConnectorContexts,
    ConnectorCursors,
    EgressHttp,
    EgressPolicy,
  ],
  exports: [ConnectorRegistry, ConnectorContexts],
})
export class ConnectorsModule {}
