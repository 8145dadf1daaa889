import { Module } from '@nestjs/common';
import { ConnectorContexts } from './connector-contexts';
import { ConnectorCursors } from './connector-cursors';
import { EgressPolicy } from './egress/egress-policy';
import { EgressHttp } from './egress/outbound-http';
import { ConnectorRegistry } from './registry';
import { S3ExportConnector } from './s3-export/s3-export.connector';
import { HttpPoster } from './webhook/http-poster';
import { WebhookConnector } from './webhook/webhook.connector';

@Module({
  providers: [
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
