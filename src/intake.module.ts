import { Module } from '@nestjs/common';
import { HooksApiModule } from './hooks/hooks-api.module';
import { EventsApiModule } from './ingestion/events-api.module';

/**
 * The role `events`: takes events in and stores them. It knows no destination and opens no secret (write keys are found
 * by their SHA-256) but those that webhooks of others are signed with: without `CDP_ENCRYPTION_KEY` it runs, and takes
 * no signed webhooks.
 */
@Module({ imports: [EventsApiModule, HooksApiModule] })
export class IntakeModule {}
