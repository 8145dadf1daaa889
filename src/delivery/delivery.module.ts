import { Module } from '@nestjs/common';
import { ActiveDestinationsModule } from '../destinations/active-destinations.module';
import { ConnectorsModule } from '../connectors/connectors.module';
import { SandboxModule } from '../transformations/sandbox/sandbox.module';
import { EventsModule } from '../events/events.module';
import { BacklogJobs } from './backlog-jobs';
import { DestinationHealth } from './breaker/destination-health';
import { DeadLetterQueue } from './dead-letters/dead-letter-queue';
import { Deliveries } from './deliveries';
import { DeliveryWriter } from './delivery-writer';
import { FirstTries } from './first-tries';
import { DeliveryContext } from './sending/delivery-context';
import { DeliveryModes } from './delivery-modes';
import { DeliverySpans } from './sending/delivery-spans';
import { DestinationStates } from './stats/destination-states';
import { DeliveryTables } from './upkeep/delivery-tables';
import { OrderedDeliveries } from './order/ordered-deliveries';
import { HeadHints } from './order/head-hints';
import { Ledger } from './ledger/ledger';
import { OutgoingEvents } from './sending/outgoing-events';
import { PendingFrom } from './ledger/pending-from';
import { Obstacles } from './presence/obstacles';
import { WorkerPresence } from './presence/worker-presence';
import { ReplayedEvents } from './replay/replayed-events';
import { Router } from './routing/router';
import { Sender } from './sending/sender';

const SHARED = [
  Deliveries,
  BacklogJobs,
  DeliveryWriter,
  FirstTries,
  OrderedDeliveries,
  HeadHints,
  DeliveryModes,
  Router,
  ReplayedEvents,
  Ledger,
  PendingFrom,
  WorkerPresence,
  Obstacles,
  DestinationHealth,
  DestinationStates,
  DeliveryContext,
  OutgoingEvents,
  Sender,
  DeadLetterQueue,
];

/**
 * What the Management API and the workers share: routing, the ledger, one try, the dead letters that the queue shows.
 */
@Module({
  imports: [ConnectorsModule, ActiveDestinationsModule, EventsModule, SandboxModule],
  providers: [DeliveryTables, DeliverySpans, ...SHARED],
  exports: SHARED,
})
export class DeliveryModule {}
