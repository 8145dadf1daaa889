import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../platform/config/config';
import { GroupsController } from './groups.controller';
import { ProfilesController } from './profiles.controller';
import { GroupReader } from './reading/group-reader';
import { ProfileSearch } from './reading/profile-search';
import { ProfileReader } from './reading/profile-reader';

/** Profiles over HTTP. */
@Module({})
export class ProfilesApiModule {
  static forRoles(config: Config): DynamicModule {
    if (!config.hasRole('management')) return { module: ProfilesApiModule };
    return {
      module: ProfilesApiModule,
      controllers: [ProfilesController, GroupsController],
      providers: [GroupReader, ProfileReader, ProfileSearch],
    };
  }
}
