import { Module } from '@nestjs/common';
import { ProfilesService } from './profiles.service';
import { Pseudonyms } from './pseudonyms';
import { Suppressions } from './suppressions';

/** What the processing of events needs of profiles. */
@Module({
  providers: [ProfilesService, Pseudonyms, Suppressions],
  exports: [ProfilesService, Pseudonyms, Suppressions],
})
export class ProfilesModule {}
