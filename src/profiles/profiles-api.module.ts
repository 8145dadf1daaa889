import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { GroupsController } from './groups.controller';
import { ProfilesController } from './profiles.controller';
import { ProfileSegments } from './profile-segments';
import { GroupReader } from './reading/group-reader';
import { ProfileSearch } from './reading/profile-search';
import { ProfileReader } from './reading/profile-reader';

/** Profiles over HTTP. */
@Module({
  controllers: [ProfilesController, GroupsController],
  providers: [GroupReader, ProfileReader, ProfileSearch],
})
export class ProfilesApiModule {
  /** A profile shows its segments, which this module does not know: they are given to it. */
  static with(segments: Type<ProfileSegments>): DynamicModule {
    return { module: ProfilesApiModule, providers: [{ provide: ProfileSegments, useClass: segments }] };
  }
}
