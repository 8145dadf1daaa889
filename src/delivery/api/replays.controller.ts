import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentActor } from '../../platform/auth/current-actor.decorator';
import type { Actor } from '../../platform/auth/principal';
import { InvalidRequestError } from '../../platform/http/problems/problem';
import { ApiProblems, inCase } from '../../platform/openapi/api-problem.decorator';
import { ReplayDryRuns } from '../replay/replay-dry-runs';
import { Replays } from '../replay/replays';
import { ReplayDryRunDto, ReplayDto, ReplayEventsDto, ReplaysQueryDto } from './dto/replay.dto';
import { DestinationNotFoundError } from '../../destinations/destination-problems';
import { ReplayNotFoundError } from './delivery-problems';

@ApiTags('replays')
@Controller()
export class ReplaysController {
  constructor(
    private readonly replays: Replays,
    private readonly dryRuns: ReplayDryRuns,
  ) {}

  @Post('destinations/:id/replay')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Replay the stored events of a time range to a destination',
    description:
      'Each event that the destination asks for becomes a new delivery with an id of its own, so that receivers do ' +
      'not take it for one they know.',
  })
  @ApiAcceptedResponse({ type: ReplayDto })
  @ApiProblems(inCase(InvalidRequestError, 'The filter is not valid.'), DestinationNotFoundError)
  start(
    @Param('id') destinationId: string,
    @Body() request: ReplayEventsDto,
    @CurrentActor() actor: Actor,
  ): Promise<ReplayDto> {
    return this.replays.startForEvents(destinationId, request, actor);
  }

  @Post('destinations/:id/replay/dry-run')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Say how many events a replay would send, sending none',
    description:
      'Takes a few seconds at most: what cannot be counted in that time is estimated, and the answer says so.',
  })
  @ApiOkResponse({ type: ReplayDryRunDto })
  @ApiProblems(inCase(InvalidRequestError, 'The filter is not valid.'), DestinationNotFoundError)
  dryRun(@Param('id') destinationId: string, @Body() request: ReplayEventsDto): Promise<ReplayDryRunDto> {
    return this.dryRuns.count(destinationId, request);
  }

  @Get('replays')
  @ApiOperation({ summary: 'List the latest hundred replays, of all destinations or of one' })
  @ApiOkResponse({ type: [ReplayDto] })
  findAll(@Query() { destinationId }: ReplaysQueryDto): Promise<ReplayDto[]> {
    return this.replays.findAll(destinationId);
  }

  @Get('replays/:id')
  @ApiOperation({ summary: 'Show how far a replay is' })
  @ApiOkResponse({ type: ReplayDto })
  @ApiProblems(ReplayNotFoundError)
  findOne(@Param('id') replayId: string): Promise<ReplayDto> {
    return this.replays.findOne(replayId);
  }

  @Delete('replays/:id')
  @ApiOperation({ summary: 'Cancel a replay; what it has handed over is delivered' })
  @ApiOkResponse({ type: ReplayDto })
  @ApiProblems(ReplayNotFoundError)
  cancel(@Param('id') replayId: string, @CurrentActor() actor: Actor): Promise<ReplayDto> {
    return this.replays.cancel(replayId, actor);
  }
}
