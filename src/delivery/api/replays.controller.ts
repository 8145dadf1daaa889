import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBearerAuth, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../platform/auth/current-actor.decorator';
import type { Actor } from '../../platform/auth/principal';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import { Replays } from '../replay/replays';
import { ReplayDto, ReplayEventsDto } from './dto/replay.dto';
import { DestinationNotFoundError } from '../../destinations/destination-problems';
import { ReplayNotFoundError } from './delivery-problems';

@ApiTags('replays')
@ApiBearerAuth('bearer')
@Controller()
export class ReplaysController {
  constructor(private readonly replays: Replays) {}

  @Post('destinations/:id/replay')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Send the stored events of a time range to a destination again',
    description:
      'Each event that the destination asks for becomes a new delivery with an id of its own, so that receivers do ' +
      'not take it for one they know.',
  })
  @ApiAcceptedResponse({ type: ReplayDto })
  @ApiProblems(DestinationNotFoundError)
  start(
    @Param('id') destinationId: string,
    @Body() request: ReplayEventsDto,
    @CurrentActor() actor: Actor,
  ): Promise<ReplayDto> {
    return this.replays.startForEvents(destinationId, request, actor);
  }

  @Get('replays')
  @ApiOperation({ summary: 'List the latest replays' })
  @ApiOkResponse({ type: [ReplayDto] })
  findAll(): Promise<ReplayDto[]> {
    return this.replays.findAll();
  }

  @Get('replays/:id')
  @ApiOperation({ summary: 'Show how far a replay is' })
  @ApiOkResponse({ type: ReplayDto })
  @ApiProblems(ReplayNotFoundError)
  findOne(@Param('id') replayId: string): Promise<ReplayDto> {
    return this.replays.findOne(replayId);
  }

  @Delete('replays/:id')
  @ApiOperation({ summary: 'Call a replay off; what it has handed over is delivered' })
  @ApiOkResponse({ type: ReplayDto })
  @ApiProblems(ReplayNotFoundError)
  cancel(@Param('id') replayId: string, @CurrentActor() actor: Actor): Promise<ReplayDto> {
    return this.replays.cancel(replayId, actor);
  }
}
