import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ConnectorsController } from '../connectors/connectors.controller';
import { ConnectorsModule } from '../connectors/connectors.module';
import { Destination } from './destination.entity';
import { DestinationEditor } from './destination-editor';
import { DestinationPreviews } from './destination-previews';
import { DestinationRouting } from './destination-routing';
import { DestinationRepository } from './destination.repository';
import { DestinationsController } from './destinations.controller';
import { DestinationsService } from './destinations.service';

@Module({
  imports: [TypeOrmModule.forFeature([Destination]), ConnectorsModule],
  controllers: [DestinationsController, ConnectorsController],
  providers: [
    DestinationRepository,
    DestinationEditor,
    DestinationPreviews,
    DestinationRouting,
    DestinationsService,
  ],
  exports: [ConnectorsModule, DestinationPreviews, DestinationsService],
})
export class DestinationsModule {}
