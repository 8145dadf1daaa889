import { type DynamicModule, Global, Module } from '@nestjs/common';
import { RequestTraces } from './request-traces';
import { Tracing } from './tracing';

@Global()
@Module({})
export class TracingModule {
  static forRoot(tracing: Tracing): DynamicModule {
    return {
      module: TracingModule,
      providers: [{ provide: Tracing, useValue: tracing }, RequestTraces],
      exports: [Tracing, RequestTraces],
    };
  }
}
