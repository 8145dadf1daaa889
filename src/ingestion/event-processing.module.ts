import { Module } from '@nestjs/common';
import { DeliveryModule } from '../delivery/delivery.module';
import { EventsModule } from '../events/events.module';
import { HandOverModule } from '../events/inbox/hand-over.module';
import { ProfilesModule } from '../profiles/profiles.module';
import { SegmentsModule } from '../segments/segments.module';
import { EventProcessor } from './event.processor';
import { InboxTransactions } from './processing/inbox-transactions';
import { InboxReader } from './processing/inbox-reader';
import { InboxSweeper } from './processing/inbox-sweeper';
import { InboxMetrics } from './processing/inbox.metrics';
import { MembershipUpkeep } from './membership-upkeep';
import { QuarantineRetention } from '../tracking-plans/quarantine/quarantine-retention';
import { RejectionScreen } from './rejection-screen';

/** What happens to stored events: profiles, memberships, deliveries. */
@Module({
  imports: [EventsModule, ProfilesModule, SegmentsModule, DeliveryModule, HandOverModule],
  providers: [
    EventProcessor,
    InboxTransactions,
    InboxReader,
    InboxSweeper,
    InboxMetrics,
    MembershipUpkeep,
    RejectionScreen,
    QuarantineRetention,
  ],
})
export class EventProcessingModule {}
