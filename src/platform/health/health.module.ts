import { Module } from '@nestjs/common';
import { DatabaseProbe } from './database-probe';
import { HealthController } from './health.controller';
import { QueueProbe } from './queue-probe';
import { Readiness } from './readiness';

@Module({
  controllers: [HealthController],
  providers: [DatabaseProbe, QueueProbe, Readiness],
  exports: [Readiness],
})
export class HealthModule {}
