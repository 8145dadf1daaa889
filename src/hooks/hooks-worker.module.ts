import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { HandOverModule } from '../events/inbox/hand-over.module';
import { EventChecksModule } from '../ingestion/event-checks.module';
import { ProfilesModule } from '../profiles/profiles.module';
import { WriteKeysModule } from '../sources/write-keys.module';
import { SandboxModule } from '../transformations/sandbox/sandbox.module';
import { HookEvents } from './processing/hook-events';
import { HookReport } from './processing/hook-report';
import { HookRetention } from './processing/hook-retention';
import { HookTransformations } from './processing/hook-transformations';
import { HookProcessor } from './processing/hook.processor';
import { HookSettling } from './processing/hook-settling';

/** Makes events of what others have posted. */
@Module({
  imports: [EventsModule, HandOverModule, EventChecksModule, ProfilesModule, WriteKeysModule, SandboxModule],
  providers: [HookEvents, HookTransformations, HookReport, HookRetention, HookProcessor, HookSettling],
})
export class HooksWorkerModule {}
