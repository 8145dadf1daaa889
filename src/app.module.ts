import { type DynamicModule, Module } from '@nestjs/common';
import { ConfigurationModule } from './configuration/configuration.module';
import { DeliveryApiModule } from './delivery/api/delivery-api.module';
import { DeliveryModule } from './delivery/delivery.module';
import { DestinationsModule } from './destinations/destinations.module';
import { IngestionModule } from './ingestion/ingestion.module';
import { AuditModule } from './platform/audit/audit.module';
import { AuthModule } from './platform/auth/auth.module';
import type { Config } from './platform/config/config';
import { ConfigModule } from './platform/config/config.module';
import { DatabaseModule } from './platform/database/database.module';
import { HealthModule } from './platform/health/health.module';
import { HttpModule } from './platform/http/http.module';
import { IdempotencyModule } from './platform/idempotency/idempotency.module';
import { MetricsModule } from './platform/metrics/metrics.module';
import type { QueueBackend } from './platform/queues/queue-backend';
import { QueuesModule } from './platform/queues/queues.module';
import { SecretsModule } from './platform/secrets/secrets.module';
import type { Tracing } from './platform/tracing/tracing';
import { TracingModule } from './platform/tracing/tracing.module';
import { PrivacyModule } from './privacy/privacy.module';
import { ProfilesApiModule } from './profiles/profiles-api.module';
import { SegmentsApiModule } from './segments/segments-api.module';
import { SourcesModule } from './sources/sources.module';

/** The whole service. The configured roles choose which controllers and workers a process mounts. */
@Module({})
export class AppModule {
  static forRoot(
    config: Config,
    queueBackend: QueueBackend,
    tracing: Tracing,
    connectors: DynamicModule,
  ): DynamicModule {
    // One instance each, which others share: each call makes a module of its own.
    const sources = SourcesModule.forRoles(config);
    const segments = SegmentsApiModule.forRoles(config);
    const destinations = DestinationsModule.forRoles(config);
    const delivery = DeliveryModule.forRoles(config);
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        connectors,
        DatabaseModule,
        HttpModule,
        AuthModule.forRoles(config),
        SecretsModule,
        AuditModule.forRoles(config),
        ...(config.hasRole('management') ? [IdempotencyModule] : []),
        QueuesModule.forRoot(queueBackend),
        MetricsModule.forRoot(config),
        TracingModule.forRoot(tracing),
        HealthModule,
        sources,
        destinations,
        ProfilesApiModule.forRoles(config),
        PrivacyModule.forRoles(config, delivery),
        segments,
        IngestionModule.forRoles(config, delivery),
        delivery,
        DeliveryApiModule.forRoles(config, [delivery, destinations]),
        ConfigurationModule.forRoles(config, [sources, segments, destinations]),
      ],
    };
  }
}
