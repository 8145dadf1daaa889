import { Module } from '@nestjs/common';
import { ActiveSegments } from './definitions/active-segments';
import { Membership } from './membership/membership';
import { SegmentMetrics } from './segment.metrics';
import { SegmentUpkeep } from './computing/segment-upkeep';

/** What keeps memberships current, for those who process events. */
@Module({
  providers: [ActiveSegments, Membership, SegmentUpkeep, SegmentMetrics],
  exports: [Membership, SegmentUpkeep],
})
export class SegmentsModule {}
