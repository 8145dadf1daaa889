import { Module } from '@nestjs/common';
import { ConfigurationModule } from './configuration/configuration.module';
import { ConsoleModule } from './console/console.module';
import { DeliveryApiModule } from './delivery/api/delivery-api.module';
import { DestinationNamesModule } from './destinations/destination-names.module';
import { DestinationsModule } from './destinations/destinations.module';
import { InspectorModule } from './inspector/inspector.module';
import { HookRequestsModule } from './hooks/hook-requests.module';
import { AuditController } from './platform/audit/audit.controller';
import { AuditModule } from './platform/audit/audit.module';
import { AuthModule } from './platform/auth/auth.module';
import { IdempotencyModule } from './platform/idempotency/idempotency.module';
import { SecretsModule } from './platform/secrets/secrets.module';
import { PrivacyModule } from './privacy/privacy.module';
import { ProfilesApiModule } from './profiles/api/profiles-api.module';
import { SegmentsApiModule } from './segments/api/segments-api.module';
import { TraitsOfProfile } from './segments/computed-traits/traits-of-profile';
import { SegmentsOfProfile } from './segments/reading/segments-of-profile';
import { SourcesModule } from './sources/sources.module';
import { TrackingPlansApiModule } from './tracking-plans/api/tracking-plans-api.module';
import { TransformationsApiModule } from './transformations/api/transformations-api.module';

/** The role `management`: everything that asks for a bearer token. */
@Module({
  imports: [
    SecretsModule,
    AuditModule,
    AuthModule,
    IdempotencyModule,
    SourcesModule,
    HookRequestsModule,
    DestinationsModule,
    DestinationNamesModule,
    ProfilesApiModule.with(SegmentsOfProfile, TraitsOfProfile),
    PrivacyModule,
    SegmentsApiModule,
    TrackingPlansApiModule,
    TransformationsApiModule,
    DeliveryApiModule,
    InspectorModule,
    ConfigurationModule,
    ConsoleModule,
  ],
  controllers: [AuditController],
})
export class ManagementModule {}
