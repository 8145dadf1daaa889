import { Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { DatabaseProbe } from './database-probe';
import { HealthController } from './health.controller';
import { QueueProbe } from './queue-probe';
import { Readiness } from './readiness';

@Module({
  // Without its log: it would write a line for each question while PostgreSQL is away.
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [DatabaseProbe, QueueProbe, Readiness],
  exports: [Readiness],
})
export class HealthModule {}
