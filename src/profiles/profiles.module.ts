import { Module } from '@nestjs/common';
import { ProfilesService } from './profiles.service';
import { Suppressions } from './suppressions';

/** What the processing of events needs of profiles. */
@Module({ providers: [ProfilesService, Suppressions], exports: [ProfilesService, Suppressions] })
export class ProfilesModule {}
