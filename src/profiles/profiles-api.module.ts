import { Module } from '@nestjs/common';
import { GroupsController } from './groups.controller';
import { ProfilesController } from './profiles.controller';
import { GroupReader } from './reading/group-reader';
import { ProfileSearch } from './reading/profile-search';
import { ProfileReader } from './reading/profile-reader';

/** Profiles over HTTP. */
@Module({
  controllers: [ProfilesController, GroupsController],
  providers: [GroupReader, ProfileReader, ProfileSearch],
})
export class ProfilesApiModule {}
