import { Module } from '@nestjs/common';
import { ActiveSegments } from './active-segments';
import { Membership } from './membership';
import { SegmentUpkeep } from './segment-upkeep';

/** What keeps memberships current, for those who process events. */
@Module({
  providers: [ActiveSegments, Membership, SegmentUpkeep],
  exports: [Membership, SegmentUpkeep],
})
export class SegmentsModule {}
