import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeliveryApiModule } from '../delivery/api/delivery-api.module';
import { ActiveDestinationsModule } from '../destinations/active-destinations.module';
import { EventsModule } from '../events/events.module';
import { EventFinder } from '../events/reading/event-finder';
import { StoredEvent } from '../events/reading/stored-event.entity';
import { ProfilesModule } from '../profiles/profiles.module';
import { SourcesModule } from '../sources/sources.module';
import { EventSearch } from './event-search';
import { EventTraces } from './event-traces';
import { EventsController } from './events.controller';
import { RejectedEventsController } from './rejected-events.controller';
import { Routed } from './routed';
import { StatsController } from './stats.controller';
import { TailController } from './tail.controller';
import { TailFeed } from './tail/tail-feed';
import { TailReader } from './tail/tail-reader';

/** What became of an event, told from the tables of those who own them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([StoredEvent]),
    EventsModule,
    ProfilesModule,
    SourcesModule,
    DeliveryApiModule,
    ActiveDestinationsModule,
  ],
  controllers: [TailController, EventsController, RejectedEventsController, StatsController],
  providers: [EventFinder, EventSearch, EventTraces, Routed, TailFeed, TailReader],
})
export class InspectorModule {}
