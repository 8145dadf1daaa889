import { Global, Module } from '@nestjs/common';
import { AuditLog } from './audit-log';

/** Who changed what. */
@Global()
@Module({ providers: [AuditLog], exports: [AuditLog] })
export class AuditModule {}
