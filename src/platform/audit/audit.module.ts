import { type DynamicModule, Module } from '@nestjs/common';
import type { Config } from '../config/config';
import { AuditController } from './audit.controller';
import { AuditLog } from './audit-log';

/** Who changed what. */
@Module({})
export class AuditModule {
  static forRoles(config: Config): DynamicModule {
    return {
      module: AuditModule,
      global: true,
      controllers: config.hasRole('management') ? [AuditController] : [],
      providers: [AuditLog],
      exports: [AuditLog],
    };
  }
}
