import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { DestinationsService } from '../../destinations/destinations.service';
import { DestinationDto } from '../../destinations/dto/destination.dto';
import {
  NothingToRotateError,
  TooManySecretsError,
  SecretRotation,
} from '../../destinations/secret-rotation';
import { CurrentActor } from '../../platform/auth/current-actor.decorator';
import type { Actor } from '../../platform/auth/principal';
import { ApiIdempotencyKey } from '../../platform/idempotency/api-idempotency-key.decorator';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import { DestinationStats } from './destination-stats';
import { DestinationSwitch } from '../../destinations/destination-switch';
import { DestinationTester } from './destination-tester';
import { DestinationTestDto, RotatedSecretDto, RotateSecretDto } from './dto/destination-operations.dto';
import { DestinationStatsDto } from './dto/destination-stats.dto';
import { DEFAULT_OVERLAP_SECONDS } from '../../destinations/previous-secrets';
import { DestinationNotFoundError } from '../../destinations/destination-problems';

@ApiTags('destinations')
@ApiProblems(DestinationNotFoundError)
@Controller('destinations/:id')
export class DestinationOperationsController {
  constructor(
    private readonly destinations: DestinationsService,
    private readonly statistics: DestinationStats,
    private readonly tester: DestinationTester,
    private readonly rotation: SecretRotation,
    private readonly switching: DestinationSwitch,
  ) {}

  @Get('stats')
  @ApiOperation({ summary: 'Show how a destination is doing: health, backlog, success rate, latency' })
  @ApiOkResponse({ type: DestinationStatsDto })
  stats(@Param('id') destinationId: string): Promise<DestinationStatsDto> {
    return this.statistics.of(destinationId);
  }

  @Post('test')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Send a sample event and show what happened',
    description:
      'Also to a destination that is paused or disabled, which it stays. A test is no delivery: it is in the audit log, ' +
      'and neither in the ledger nor in the statistics. One that fails changes nothing; one that succeeds ends an outage.',
  })
  @ApiOkResponse({ type: DestinationTestDto })
  test(@Param('id') destinationId: string, @CurrentActor() actor: Actor): Promise<DestinationTestDto> {
    return this.tester.test(destinationId, actor);
  }

  @Post('pause')
  @HttpCode(200)
  @ApiOperation({ summary: 'Stop deliveries; events are kept for the destination' })
  @ApiOkResponse({ type: DestinationDto })
  async pause(@Param('id') destinationId: string, @CurrentActor() actor: Actor): Promise<DestinationDto> {
    await this.switching.pause(destinationId, actor);
    return this.destinations.findOne(destinationId);
  }

  @Post('resume')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Deliver what was kept, and what comes',
    description:
      'Also after the service disabled it. No delivery changes by that: what was kept is due already (`pending` of the ' +
      'statistics counts it), and what waits for its next try goes on waiting. `POST /destinations/{id}/retry` makes that ' +
      'due, too, and says how much it was.',
  })
  @ApiOkResponse({ type: DestinationDto })
  async resume(@Param('id') destinationId: string, @CurrentActor() actor: Actor): Promise<DestinationDto> {
    await this.switching.resume(destinationId, actor);
    return this.destinations.findOne(destinationId);
  }

  @Post('rotate-secret')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Make a new signing secret; for a while the old one signs `webhook-signature` as well',
  })
  @ApiBody({ type: RotateSecretDto, required: false })
  @ApiIdempotencyKey()
  @ApiOkResponse({ type: RotatedSecretDto })
  @ApiProblems(NothingToRotateError, TooManySecretsError)
  async rotateSecret(
    @Param('id') destinationId: string,
    @Body() { overlapSeconds = DEFAULT_OVERLAP_SECONDS }: RotateSecretDto,
    @CurrentActor() actor: Actor,
  ): Promise<RotatedSecretDto> {
    await this.destinations.findOne(destinationId);
    const { secrets, previousSecretsUntil } = await this.rotation.rotate(
      destinationId,
      overlapSeconds,
      actor,
    );
    return { secrets, previousSecretsUntil: previousSecretsUntil.toISOString() };
  }
}
