import { Module } from '@nestjs/common';
import { EgressPolicy } from './egress/egress-policy';
import { ConnectorRegistry } from './registry';
import { HttpPoster } from './webhook/http-poster';
import { WebhookConnector } from './webhook/webhook.connector';

@Module({
  providers: [WebhookConnector, HttpPoster, EgressPolicy, ConnectorRegistry],
  exports: [ConnectorRegistry],
})
export class ConnectorsModule {}
