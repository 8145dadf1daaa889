import { Module } from '@nestjs/common';
import { SourcesModule } from '../sources/sources.module';
import { EventSearch } from './event-search';
import { EventsController } from './events.controller';
import { RejectedEventsController } from './rejected-events.controller';

/** What became of an event, told from the tables of those who own them. */
@Module({
  imports: [SourcesModule],
  controllers: [EventsController, RejectedEventsController],
  providers: [EventSearch],
})
export class InspectorModule {}
