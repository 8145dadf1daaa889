import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectorsController } from '../connectors/connectors.controller';
import { ConnectorsModule } from '../connectors/connectors.module';
import { Destination } from './destination.entity';
import { DestinationEditor } from './destination-editor';
import { DestinationPreviews } from './destination-previews';
import { DestinationRouting } from './destination-routing';
import { DestinationRepository } from './destination.repository';
import { DestinationSwitch } from './destination-switch';
import { DestinationsController } from './destinations.controller';
import { DestinationsService } from './destinations.service';
import { SecretRotation } from './secret-rotation';
import { TransformationsApiModule } from '../transformations/api/transformations-api.module';

@Module({
  imports: [TypeOrmModule.forFeature([Destination]), ConnectorsModule, TransformationsApiModule],
  controllers: [DestinationsController, ConnectorsController],
  providers: [
    DestinationRepository,
    DestinationEditor,
    DestinationPreviews,
    DestinationSwitch,
    DestinationRouting,
    DestinationsService,
    SecretRotation,
  ],
  exports: [
    ConnectorsModule,
    DestinationPreviews,
    DestinationRepository,
    DestinationRouting,
    DestinationsService,
    DestinationSwitch,
    SecretRotation,
  ],
})
export class DestinationsModule {}
