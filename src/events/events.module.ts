import { Module } from '@nestjs/common';
import { EventStore } from './event-store';
import { Partitions } from './partitions';

@Module({ providers: [EventStore, Partitions], exports: [EventStore, Partitions] })
export class EventsModule {}
