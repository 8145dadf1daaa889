import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import type { Config } from '../config/config';
import { ETagInterceptor } from './etag.interceptor';
import { KnownQueryInterceptor } from './known-query.interceptor';
import { ManagementProtection } from './management-protection';
import { ProblemFilter } from './problem.filter';
import { createValidationPipe } from './validation';

/** What every request meets, whatever it asks for. */
@Module({})
export class HttpModule {
  static forRoles(config: Config): DynamicModule {
    return {
      module: HttpModule,
      providers: [
        { provide: APP_FILTER, useClass: ProblemFilter },
        { provide: APP_INTERCEPTOR, useClass: KnownQueryInterceptor },
        { provide: APP_INTERCEPTOR, useClass: ETagInterceptor },
        { provide: APP_PIPE, useFactory: createValidationPipe },
        ...(config.hasRole('management') ? [ManagementProtection] : []),
      ],
    };
  }
}
