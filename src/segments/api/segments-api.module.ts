import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { RuleWarnings } from '../explaining/rule-warnings';
import { SegmentsModule } from '../segments.module';
import { SegmentExplanation } from '../explaining/segment-explanation';
import { SegmentFigures } from '../reading/segment-figures';
import { SegmentInsightController } from './segment-insight.controller';
import { SegmentMembers } from '../reading/segment-members';
import { SegmentMembersController } from './segment-members.controller';
import { SegmentPreview } from '../explaining/segment-preview';
import { Segment } from '../segment.entity';
import { SegmentRepository } from '../segment.repository';
import { SegmentsController } from './segments.controller';
import { SegmentsService } from './segments.service';

/** Segments over HTTP. */
@Module({
  imports: [TypeOrmModule.forFeature([Segment]), SegmentsModule],
  controllers: [SegmentsController, SegmentMembersController, SegmentInsightController],
  providers: [
    RuleWarnings,
    SegmentExplanation,
    SegmentFigures,
    SegmentMembers,
    SegmentPreview,
    SegmentRepository,
    SegmentsService,
  ],
  exports: [SegmentsService],
})
export class SegmentsApiModule {}
