import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiAcceptedResponse, ApiBody, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DestinationsService } from '../../destinations/destinations.service';
import { CurrentActor } from '../../platform/auth/current-actor.decorator';
import type { Actor } from '../../platform/auth/principal';
import { cutPage } from '../../platform/http/resources/page';
import { AnswersAboutPeople } from '../../platform/idempotency/answers-about-people.decorator';
import { ApiProblems, inCase } from '../../platform/openapi/api-problem.decorator';
import { DeliveryActions } from './delivery-actions';
import { DeliveryReader } from './delivery-reader';
import { DestinationRetries } from './destination-retries';
import { DeliveriesQueryDto } from './dto/deliveries-query.dto';
import { DeliveryDetailsDto, DeliveryDto, DeliveryWithAttemptsDto } from './dto/delivery.dto';
import { RetriedDeliveriesDto, RetryDeliveriesDto } from './dto/retry-deliveries.dto';
import { SentRequests } from './sent-requests';
import { DeliveryNotFoundError, DeliveryOverError, DestinationDeletedError } from './delivery-problems';
import { DestinationNotFoundError } from '../../destinations/destination-problems';

const DELETED = inCase(DestinationDeletedError, 'The delivery is dead, and its destination was deleted.');

@ApiTags('deliveries')
@Controller()
export class DeliveriesController {
  constructor(
    private readonly reader: DeliveryReader,
    private readonly actions: DeliveryActions,
    private readonly destinations: DestinationsService,
    private readonly requests: SentRequests,
    private readonly retries: DestinationRetries,
  ) {}

  @Get('destinations/:id/deliveries')
  @ApiOperation({ summary: 'List the deliveries of a destination, newest first' })
  @ApiOkResponse({ type: [DeliveryDto] })
  @ApiProblems(DestinationNotFoundError)
  async find(
    @Param('id') destinationId: string,
    @Query() query: DeliveriesQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<DeliveryDto[]> {
    await this.destinations.findOne(destinationId);
    const { state, type, userId, from, to, cursor } = query;
    const filter = { destinationId, state, type, userId, from, to, cursor };
    const rows = await this.reader.find(filter, query.limit + 1);
    return cutPage(rows, query, `/destinations/${destinationId}/deliveries`, reply);
  }

  @Post('destinations/:id/retry')
  @HttpCode(202)
  @ApiOperation({
    summary: 'Retry all deliveries of a destination that wait for their next try',
    description:
      'After an outage of the receiver: they are due at once, and are sent within the limits of the destination and in ' +
      'its order. They have as many tries left as before, and grow no younger. What is being sent is left alone, and ' +
      'what fails again waits as ever. While the destination is paused, disabled, down or blocked they wait for that ' +
      'alone (`waitsFor`). Of a million it takes minutes, and goes on when the caller hangs up; when it fails midway, ask again for the rest.',
  })
  @ApiBody({ type: RetryDeliveriesDto, required: false })
  @ApiAcceptedResponse({ type: RetriedDeliveriesDto })
  @ApiProblems(DestinationNotFoundError)
  async retryAll(
    @Param('id') destinationId: string,
    @Body() { reason }: RetryDeliveriesDto,
    @CurrentActor() actor: Actor,
  ): Promise<RetriedDeliveriesDto> {
    await this.destinations.findOne(destinationId);
    return this.retries.retry({ destinationId, reason: reason ?? null }, actor);
  }

  @Get('deliveries/:id')
  @ApiOperation({ summary: 'Show a delivery with all of its tries, and what is sent' })
  @ApiOkResponse({ type: DeliveryDetailsDto })
  @ApiProblems(DeliveryNotFoundError)
  async findOne(@Param('id') deliveryId: string): Promise<DeliveryDetailsDto> {
    const delivery = await this.reader.findOne(deliveryId);
    return Object.assign(delivery, { request: await this.requests.of(deliveryId) });
  }

  @Post('deliveries/:id/retry')
  @HttpCode(202)
  @AnswersAboutPeople()
  @ApiOperation({
    summary: 'Retry a delivery: a pending one now, a dead one once more',
    description:
      'Also one that its receiver put off. The answer is the new state; `waitsFor` says what is in its way, such as a ' +
      'destination that is paused or down.',
  })
  @ApiAcceptedResponse({ type: DeliveryWithAttemptsDto })
  @ApiProblems(DeliveryNotFoundError, DeliveryOverError, DELETED)
  async retry(
    @Param('id') deliveryId: string,
    @CurrentActor() actor: Actor,
  ): Promise<DeliveryWithAttemptsDto> {
    await this.actions.retry(deliveryId, actor);
    return this.reader.findOne(deliveryId);
  }
}
