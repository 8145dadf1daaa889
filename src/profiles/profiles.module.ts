import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { ProfilesService } from './profiles.service';
import { Pseudonyms } from './pseudonyms';
import { DayPartitions } from './state/day-partitions';
import { ProfileLimits } from './state/profile-limits';
import { Suppressions } from './suppressions';

/** What the processing of events needs of profiles. */
@Module({
  imports: [EventsModule],
  providers: [DayPartitions, ProfileLimits, ProfilesService, Pseudonyms, Suppressions],
  exports: [ProfileLimits, ProfilesService, Pseudonyms, Suppressions],
})
export class ProfilesModule {}
