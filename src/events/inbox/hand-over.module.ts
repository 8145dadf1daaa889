import { Module } from '@nestjs/common';
import { HandOver } from './hand-over';

/** The way of stored events from the process that took them to those that process them, which may be the same. */
@Module({ providers: [HandOver], exports: [HandOver] })
export class HandOverModule {}
