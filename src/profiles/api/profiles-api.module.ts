import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CustomerGroup } from '../customer-group.entity';
import { GroupsController } from './groups.controller';
import { ProfilesController } from './profiles.controller';
import { ProfileComputedTraits } from '../profile-computed-traits';
import { ProfileSegments } from '../profile-segments';
import { GroupReader } from '../reading/group-reader';
import { ProfileOrigins } from '../reading/profile-origins';
import { ProfileSearch } from '../reading/profile-search';
import { ProfileReader } from '../reading/profile-reader';
import { TraitIndexes } from '../reading/trait-indexes';

/** Profiles over HTTP. */
@Module({
  imports: [TypeOrmModule.forFeature([CustomerGroup])],
  controllers: [ProfilesController, GroupsController],
  providers: [GroupReader, ProfileOrigins, ProfileReader, ProfileSearch, TraitIndexes],
})
export class ProfilesApiModule {
  /** A profile shows its segments and computed traits, which this module does not know: they are given to it. */
  static with(segments: Type<ProfileSegments>, computedTraits: Type<ProfileComputedTraits>): DynamicModule {
    return {
      module: ProfilesApiModule,
      providers: [
        { provide: ProfileSegments, useClass: segments },
        { provide: ProfileComputedTraits, useClass: computedTraits },
      ],
    };
  }
}
