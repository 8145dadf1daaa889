import { Module } from '@nestjs/common';
import { ProfilesService } from './profiles.service';
import { Pseudonyms } from './pseudonyms';
import { ProfileLimits } from './state/profile-limits';
import { Suppressions } from './suppressions';

/** What the processing of events needs of profiles. */
@Module({
  providers: [ProfileLimits, ProfilesService, Pseudonyms, Suppressions],
  exports: [ProfileLimits, ProfilesService, Pseudonyms, Suppressions],
})
export class ProfilesModule {}
