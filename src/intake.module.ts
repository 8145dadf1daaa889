import { Module } from '@nestjs/common';
import { EventsApiModule } from './ingestion/events-api.module';

/**
 * The role `events`: takes events in and stores them. It knows no destination, opens no secret (write keys are found by
 * their SHA-256) and runs without `CDP_ENCRYPTION_KEY`.
 */
@Module({ imports: [EventsApiModule] })
export class IntakeModule {}
