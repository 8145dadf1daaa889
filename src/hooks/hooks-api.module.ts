import { Module } from '@nestjs/common';
import { EventsApiModule } from '../ingestion/events-api.module';
import { WriteKeysModule } from '../sources/write-keys.module';
import { HooksApi } from './api/hooks-api';
import { HookIntake } from './receiving/hook-intake';
import { HookSecrets } from './receiving/hook-secrets';
import { HookStore } from './receiving/hook-store';
import { UnreadableHookSecrets } from './receiving/unreadable-hook-secrets';

/** Takes what others post, and stores it. */
@Module({
  imports: [EventsApiModule, WriteKeysModule],
  providers: [HooksApi, HookIntake, HookSecrets, HookStore, UnreadableHookSecrets],
})
export class HooksApiModule {}
