import { Module } from '@nestjs/common';
import { EventStore } from './event-store';
import { IdIndex } from './id-index';
import { Partitions } from './partitions/partitions';
import { PartitionMetrics } from './partitions/partitions.metrics';

@Module({ providers: [EventStore, IdIndex, Partitions, PartitionMetrics], exports: [EventStore, Partitions] })
export class EventsModule {}
