import { Module } from '@nestjs/common';
import { DestinationsModule } from '../destinations/destinations.module';
import { SegmentsApiModule } from '../segments/api/segments-api.module';
import { SourcesModule } from '../sources/sources.module';
import { TrackingPlansApiModule } from '../tracking-plans/api/tracking-plans-api.module';
import { TransformationsApiModule } from '../transformations/api/transformations-api.module';
import { ChangeWarnings } from './change-warnings';
import { ComputedTraitPlanner } from './computed-trait-planner';
import { ConfigurationApplier } from './configuration-applier';
import { ConfigurationController } from './configuration.controller';
import { ConfigurationExporter } from './configuration-exporter';
import { ConfigurationPlanner } from './configuration-planner';
import { ConfigurationReader } from './configuration-reader';
import { ConfigurationService } from './configuration.service';
import { ConfigurationLock } from './configuration-lock';
import { DestinationPlanner } from './destination-planner';
import { SegmentPlanner } from './segment-planner';
import { SourcePlanner } from './source-planner';
import { TransformationPlanner } from './transformation-planner';
import { YamlBodies } from './yaml-bodies';

/** Configuration as code. */
@Module({
  imports: [
    TrackingPlansApiModule,
    TransformationsApiModule,
    SourcesModule,
    SegmentsApiModule,
    DestinationsModule,
  ],
  controllers: [ConfigurationController],
  providers: [
    ChangeWarnings,
    ComputedTraitPlanner,
    ConfigurationApplier,
    ConfigurationExporter,
    ConfigurationPlanner,
    ConfigurationReader,
    ConfigurationService,
    ConfigurationLock,
    SegmentPlanner,
    SourcePlanner,
    DestinationPlanner,
    TransformationPlanner,
    YamlBodies,
  ],
})
export class ConfigurationModule {}
