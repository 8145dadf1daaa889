import { Readable } from 'node:stream';
import { Controller, Delete, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../platform/auth/current-actor.decorator';
import type { Actor } from '../platform/auth/principal';
import { Scopes } from '../platform/auth/scopes.decorator';
import { ApiProblems, inCase } from '../platform/openapi/api-problem.decorator';
import { PersonQueryDto, subjectBy } from '../profiles/api/dto/person-query.dto';
import { ProfileNotFoundError } from '../profiles/profile-problems';
import { EraseQueryDto, ErasureDto, LiftedSuppressionDto } from './dto/erasure.dto';
import { Eraser, ErasureGoesOnError } from './eraser';
import { Exporter } from './exporter';
import { NotSuppressedError, SuppressionLifter } from './suppression-lifter';

@ApiTags('profiles')
@Scopes('cdp:privacy')
@Controller('profiles/:userId')
export class PrivacyController {
  constructor(
    private readonly eraser: Eraser,
    private readonly exporter: Exporter,
    private readonly suppressionLifter: SuppressionLifter,
  ) {}

  @Delete()
  @ApiOperation({
    summary: 'Delete everything that is held about a person, and answer a receipt',
    description:
      'The profile with all ids that are linked to it, events, memberships, deliveries and their tries. With ' +
      '`suppress=true` future events about any of these ids are answered with 200 and dropped, also for somebody of whom ' +
      'nothing is held yet; `DELETE …/suppression` lifts that. With `by=anonymousId` also of a visitor who is no user yet. What destinations, buckets and back-ups hold is theirs: destinations with the notice ' +
      '`delete` are told. One that is cut off goes on by itself. See docs/privacy.md.',
  })
  @ApiOkResponse({ type: ErasureDto })
  @ApiProblems(
    inCase(
      ProfileNotFoundError,
      'Nothing is held about this person; or it is an anonymous id, and was given as a user id.',
    ),
    ErasureGoesOnError,
  )
  erase(
    @Param('userId') userId: string,
    @Query() { suppress = false, by }: EraseQueryDto,
    @CurrentActor() actor: Actor,
  ): Promise<ErasureDto> {
    return this.eraser.erase(subjectBy(userId, by), suppress, actor);
  }

  @Delete('suppression')
  @ApiOperation({
    summary: 'Take events about a person again who was suppressed',
    description:
      'For all ids that were suppressed by the same deletion, so any of them will do. An id that several deletions suppressed lifts all of them, and is suppressed until each is lifted. What was dropped stays dropped. The audit notes who did it.',
  })
  @ApiOkResponse({ type: LiftedSuppressionDto })
  @ApiProblems(NotSuppressedError)
  liftSuppression(
    @Param('userId') userId: string,
    @Query() { by }: PersonQueryDto,
    @CurrentActor() actor: Actor,
  ): Promise<LiftedSuppressionDto> {
    return this.suppressionLifter.lift(subjectBy(userId, by), actor);
  }

  @Get('export')
  @ApiOperation({ summary: 'Everything that is held about a person, as JSON lines' })
  @ApiProduces('application/x-ndjson')
  @ApiOkResponse({
    description:
      'One JSON object per line, each with its `kind`: `identity`, `day_count`, `segment`, ' +
      '`computed_trait`, `dead_event`, `rejected_event`, `quarantined_event`, `hook_request`, `event` or `delivery`, in this order; docs/privacy.md has their members. The audit notes who asked.',
  })
  @ApiProblems(inCase(ProfileNotFoundError, 'Nothing is held about this person.'))
  async export(
    @Param('userId') userId: string,
    @Query() { by }: PersonQueryDto,
    @CurrentActor() actor: Actor,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await this.exporter.open(subjectBy(userId, by), actor);
    void reply.type('application/x-ndjson').send(Readable.from(lines));
  }
}
