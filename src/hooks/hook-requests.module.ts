import { Module } from '@nestjs/common';
import { HookRequestsController } from './api/hook-requests.controller';

/** Requests that have failed, for people. */
@Module({ controllers: [HookRequestsController] })
export class HookRequestsModule {}
