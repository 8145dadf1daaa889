import { Module } from '@nestjs/common';
import { ConnectorRegistry } from './registry';
import { WebhookConnector } from './webhook/webhook.connector';

@Module({ providers: [WebhookConnector, ConnectorRegistry], exports: [ConnectorRegistry] })
export class ConnectorsModule {}
