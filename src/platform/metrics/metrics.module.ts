import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../config/config';
import { DatabasePoolMetrics } from './database-pool.metrics';
import { ExposedMetrics } from './exposed-metrics';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { MetricsServer } from './metrics-server';

/** `/metrics`: on the port of the service, or on one of its own. */
@Module({})
export class MetricsModule {
  static forRoot(config: Config): DynamicModule {
    const hasOwnPort = config.metrics.port !== undefined;
    return {
      module: MetricsModule,
      global: true,
      controllers: hasOwnPort ? [] : [MetricsController],
      providers: [Metrics, ExposedMetrics, DatabasePoolMetrics, ...(hasOwnPort ? [MetricsServer] : [])],
      exports: [Metrics],
    };
  }
}
