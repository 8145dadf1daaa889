import { type DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectorsController } from '../connectors/connectors.controller';
import { ConnectorsModule } from '../connectors/connectors.module';
import type { Config } from '../platform/config/config';
import { Destination } from './destination.entity';
import { DestinationEditor } from './destination-editor';
import { DestinationPreviews } from './destination-previews';
import { DestinationRouting } from './destination-routing';
import { DestinationsController } from './destinations.controller';
import { DestinationsService } from './destinations.service';

@Module({})
export class DestinationsModule {
  static forRoles(config: Config): DynamicModule {
    return {
      module: DestinationsModule,
      imports: [TypeOrmModule.forFeature([Destination]), ConnectorsModule],
      controllers: config.hasRole('management') ? [DestinationsController, ConnectorsController] : [],
      providers: [DestinationEditor, DestinationPreviews, DestinationRouting, DestinationsService],
      exports: [ConnectorsModule, DestinationPreviews, DestinationsService],
    };
  }
}
