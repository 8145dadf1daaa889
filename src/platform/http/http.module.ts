import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ETagInterceptor } from './etag.interceptor';
import { ProblemFilter } from './problem.filter';
import { createValidationPipe } from './validation';

/** What every request meets, whatever it asks for: input validation and the one error filter. */
@Module({
  providers: [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_INTERCEPTOR, useClass: ETagInterceptor },
    { provide: APP_PIPE, useFactory: createValidationPipe },
  ],
})
export class HttpModule {}
