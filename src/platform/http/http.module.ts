import { Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { ETagInterceptor } from './resources/etag.interceptor';
import { KnownInputInterceptor } from './input/known-input.interceptor';
import { ProblemFilter } from './problems/problem.filter';
import { PathIdPipe } from './input/ids';
import { createValidationPipe } from './input/validation';

/** What applies to every request. */
@Module({
  providers: [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_INTERCEPTOR, useClass: KnownInputInterceptor },
    { provide: APP_INTERCEPTOR, useClass: ETagInterceptor },
    { provide: APP_PIPE, useClass: PathIdPipe },
    { provide: APP_PIPE, useFactory: createValidationPipe },
  ],
})
export class HttpModule {}
