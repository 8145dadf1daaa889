import { Module } from '@nestjs/common';
import { Membership } from './membership';

@Module({ providers: [Membership], exports: [Membership] })
export class SegmentsModule {}
