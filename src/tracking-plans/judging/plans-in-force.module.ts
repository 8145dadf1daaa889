import { Module } from '@nestjs/common';
import { PlansInForce } from './plans-in-force';

/** For those that judge events, and those that change plans: one copy a process. */
@Module({ providers: [PlansInForce], exports: [PlansInForce] })
export class PlansInForceModule {}
