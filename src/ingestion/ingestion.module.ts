import { type DynamicModule, Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import type { Config } from '../platform/config/config';
import { WriteKeysModule } from '../sources/write-keys.module';
import { EventInbox } from './event-inbox';
import { EventsApi } from './events-api';
import { Intake } from './intake';

@Module({})
export class IngestionModule {
  static forRoles(config: Config): DynamicModule {
    const intake = config.hasRole('events') ? [EventsApi, Intake, EventInbox] : [];
    return {
      module: IngestionModule,
      imports: [EventsModule, WriteKeysModule],
      providers: [...intake],
    };
  }
}
