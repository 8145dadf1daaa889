import { Module } from '@nestjs/common';
import { ConnectorContexts } from './connector-contexts';
import { ConnectorCursors } from './connector-cursors';
import { EgressPolicy } from './egress/egress-policy';
import { EgressProxy } from './egress/egress-proxy';
import { EgressHttp } from './egress/egress-http';
import { HttpClient } from './egress/http-client';
import { ConnectorRegistry } from './registry';
import { S3ExportConnector } from './s3-export/s3-export.connector';
import { WebhookConnector } from './webhook/webhook.connector';

@Module({
  providers: [
    ConnectorRegistry,
    WebhookConnector,
    S3ExportConnector,
    ConnectorContexts,
    ConnectorCursors,
    EgressHttp,
    HttpClient,
    EgressPolicy,
    EgressProxy,
  ],
  exports: [ConnectorRegistry, ConnectorContexts],
})
export class ConnectorsModule {}
