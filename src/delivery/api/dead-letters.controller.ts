import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import {
  ApiAcceptedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../../platform/auth/current-actor.decorator';
import type { Actor } from '../../platform/auth/principal';
import { cutPage } from '../../platform/http/resources/page';
import { AnswersAboutPeople } from '../../platform/idempotency/answers-about-people.decorator';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import { Replays } from '../replay/replays';
import { DeadLetterDiscards } from './dead-letter-discards';
import { DeliveryActions } from './delivery-actions';
import { DeliveryReader } from './delivery-reader';
import { DeadLettersQueryDto } from './dto/deliveries-query.dto';
import { DeadLetterDto, DeliveryWithAttemptsDto } from './dto/delivery.dto';
import {
  DiscardDeadLettersDto,
  DiscardedDeadLettersDto,
  ReplayDeadLettersDto,
  ReplayDto,
} from './dto/replay.dto';
import { DeadLetterNotFoundError, DestinationDeletedError } from './delivery-problems';
import { DestinationNotFoundError } from '../../destinations/destination-problems';

@ApiTags('dead letters')
@Controller('dead-letters')
export class DeadLettersController {
  constructor(
    private readonly reader: DeliveryReader,
    private readonly actions: DeliveryActions,
    private readonly replays: Replays,
    private readonly discards: DeadLetterDiscards,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the dead letters, newest first' })
  @ApiOkResponse({ type: [DeadLetterDto] })
  async find(
    @Query() query: DeadLettersQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeadLetterDto[]> {
    const { destinationId, reason, from, to, cursor } = query;
    const rows = await this.reader.findDead({ destinationId, reason, from, to, cursor }, query.limit + 1);
    return cutPage(rows, query, '/dead-letters', reply);
  }

  @Post('replay')
  @HttpCode(202)
  @ApiOperation({ summary: 'Replay many dead letters of a destination, so many a second' })
  @ApiAcceptedResponse({ type: ReplayDto })
  @ApiProblems(DestinationNotFoundError)
  replayMany(@Body() request: ReplayDeadLettersDto, @CurrentActor() actor: Actor): Promise<ReplayDto> {
    return this.replays.startForDeadLetters(request, actor);
  }

  @Post('discard')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Discard the dead letters of a destination',
    description:
      'All that are there when it is asked for, part by part. It goes on when the caller hangs up; when it fails midway, ' +
      'the audit says how many it came to (`discarded`): ask again for the rest.',
  })
  @ApiOkResponse({ type: DiscardedDeadLettersDto })
  @ApiProblems(DestinationNotFoundError)
  discardMany(
    @Body() { destinationId, reason }: DiscardDeadLettersDto,
    @CurrentActor() actor: Actor,
  ): Promise<DiscardedDeadLettersDto> {
    return this.discards.discard({ destinationId, reason: reason ?? null }, actor);
  }

  @Post(':id/replay')
  @HttpCode(202)
  @AnswersAboutPeople()
  @ApiOperation({ summary: 'Replay a dead letter, with its old id' })
  @ApiAcceptedResponse({ type: DeliveryWithAttemptsDto })
  @ApiProblems(DeadLetterNotFoundError, DestinationDeletedError)
  async replayOne(
    @Param('id') deliveryId: string,
    @CurrentActor() actor: Actor,
  ): Promise<DeliveryWithAttemptsDto> {
    await this.actions.replay(deliveryId, actor);
    return this.reader.findOne(deliveryId);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Discard a dead letter' })
  @ApiNoContentResponse({ description: 'It is cancelled.' })
  @ApiProblems(DeadLetterNotFoundError)
  discard(@Param('id') deliveryId: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.actions.discard(deliveryId, actor);
  }
}
