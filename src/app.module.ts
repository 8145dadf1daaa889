import { type DynamicModule, Module } from '@nestjs/common';
import { IntakeModule } from './intake.module';
import { ManagementModule } from './management.module';
import type { Config, Role } from './platform/config/config';
import { ConfigModule } from './platform/config/config.module';
import { DatabaseModule } from './platform/database/database.module';
import { HealthModule } from './platform/health/health.module';
import { HttpModule } from './platform/http/http.module';
import { MetricsModule } from './platform/metrics/metrics.module';
import type { QueueBackend } from './platform/queues/queue-backend';
import { QueuesModule } from './platform/queues/queues.module';
import type { Tracing } from './platform/tracing/tracing';
import { TracingModule } from './platform/tracing/tracing.module';
import { WorkerModule } from './worker.module';

/** What a process with the role does. */
const MODULE_OF_ROLE = {
  management: ManagementModule,
  events: IntakeModule,
  worker: WorkerModule,
} as const satisfies Record<Role, unknown>;

/** The whole service: what every process has, and a module for each role of this one. */
@Module({})
export class AppModule {
  /** @param connectors of packages; only for roles that know destinations */
  static forRoot(
    config: Config,
    queueBackend: QueueBackend,
    tracing: Tracing,
    connectors: DynamicModule | undefined,
  ): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule,
        HttpModule,
        QueuesModule.forRoot(queueBackend),
        MetricsModule.forRoot(config),
        TracingModule.forRoot(tracing),
        HealthModule,
        ...(connectors === undefined ? [] : [connectors]),
        ...config.roles.map((role) => MODULE_OF_ROLE[role]),
      ],
    };
  }
}
