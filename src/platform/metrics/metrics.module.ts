import { Global, Module } from '@nestjs/common';
import { DatabasePoolMetrics } from './database-pool.metrics';
import { ExposedMetrics } from './exposed-metrics';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';

@Global()
@Module({
  controllers: [MetricsController],
  providers: [Metrics, ExposedMetrics, DatabasePoolMetrics],
  exports: [Metrics],
})
export class MetricsModule {}
