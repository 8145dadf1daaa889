import { Readable } from 'node:stream';
import { Controller, Delete, Get, Param, Query, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../platform/auth/current-actor.decorator';
import type { Actor } from '../platform/auth/principal';
import { Scopes } from '../platform/auth/scopes.decorator';
import { EraseQueryDto, ErasureDto } from './dto/erasure.dto';
import { Eraser } from './eraser';
import { Exporter } from './exporter';

@ApiTags('profiles')
@ApiBearerAuth('bearer')
@Scopes('cdp:privacy')
@Controller('profiles/:userId')
export class PrivacyController {
  constructor(
    private readonly eraser: Eraser,
    private readonly exporter: Exporter,
  ) {}

  @Delete()
  @ApiOperation({
    summary: 'Delete everything that is held about a person, and answer a receipt',
    description:
      'The profile with all ids that are linked to it, events, memberships, deliveries and their tries. With ' +
      '`suppress=true` future events about any of these ids are answered with 200 and dropped, also for a user of whom ' +
      'nothing is held yet. What destinations, buckets and back-ups hold is theirs: destinations with the notice ' +
      '`delete` are told. See docs/privacy.md.',
  })
  @ApiOkResponse({ type: ErasureDto })
  @ApiNotFoundResponse({ description: 'Nothing is held about this user.' })
  erase(
    @Param('userId') userId: string,
    @Query() { suppress }: EraseQueryDto,
    @CurrentActor() actor: Actor,
  ): Promise<ErasureDto> {
    return this.eraser.erase(userId, suppress === 'true', actor);
  }

  @Get('export')
  @ApiOperation({ summary: 'Everything that is held about a person, as JSON lines' })
  @ApiProduces('application/x-ndjson')
  @ApiOkResponse({
    description:
      'One JSON object per line, each with its `kind`: `identity`, `day_count`, `segment`, `dead_event`, `event` ' +
      'or `delivery`, in this order; docs/privacy.md has their members. The audit notes who asked.',
  })
  @ApiNotFoundResponse({ description: 'Nothing is held about this user.' })
  async export(
    @Param('userId') userId: string,
    @CurrentActor() actor: Actor,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const lines = await this.exporter.open(userId, actor);
    void reply.type('application/x-ndjson').send(Readable.from(lines));
  }
}
