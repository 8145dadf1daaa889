import { Module } from '@nestjs/common';
import { ProfilesService } from './profiles.service';

/** What the processing of events needs of profiles. */
@Module({ providers: [ProfilesService], exports: [ProfilesService] })
export class ProfilesModule {}
