import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventFinder } from '../../events/reading/event-finder';
import { StoredEvent } from '../../events/reading/stored-event.entity';
import { ComputedTraitsController } from '../computed-traits/api/computed-traits.controller';
import { ComputedTraitsService } from '../computed-traits/api/computed-traits.service';
import { ComputedTrait } from '../computed-traits/computed-trait.entity';
import { ComputedTraitRepository } from '../computed-traits/computed-trait.repository';
import { ComputedTraitPreview } from '../explaining/computed-trait-preview';
import { EventSamples } from '../explaining/event-samples';
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

/** Segments and computed traits over HTTP. */
@Module({
  imports: [TypeOrmModule.forFeature([Segment, ComputedTrait, StoredEvent]), SegmentsModule],
  controllers: [
    ComputedTraitsController,
    SegmentsController,
    SegmentMembersController,
    SegmentInsightController,
  ],
  providers: [
    ComputedTraitPreview,
    ComputedTraitRepository,
    ComputedTraitsService,
    EventFinder,
    EventSamples,
    RuleWarnings,
    SegmentExplanation,
    SegmentFigures,
    SegmentMembers,
    SegmentPreview,
    SegmentRepository,
    SegmentsService,
  ],
  exports: [ComputedTraitsService, RuleWarnings, SegmentsService],
})
export class SegmentsApiModule {}
