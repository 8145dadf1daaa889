import { Body, Controller, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { isUUID } from 'class-validator';
import type { FastifyReply } from 'fastify';
import type { AuditedAction } from '../../platform/audit/audited-actions';
import { AuditLog } from '../../platform/audit/audit-log';
import { CurrentActor } from '../../platform/auth/current-actor.decorator';
import type { Actor } from '../../platform/auth/principal';
import { Database } from '../../platform/database/database';
import { linkNext } from '../../platform/http/resources/page';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import { EXAMPLE_IDS } from '../../platform/openapi/example-ids';
import { HookRequestNotFoundError } from '../hook-problems';
import {
  countFailedHookRequests,
  discardHookRequests,
  findFailedHookRequests,
  type HookRequestSearch,
  runHookRequestsAgain,
} from '../requests/failed-hook-requests';
import {
  HookRequestDto,
  HookRequestsQueryDto,
  SettledHookRequestsDto,
  SettleHookRequestsDto,
} from './hook-request.dto';

/** Whoever tries an example is not to settle everything. */
const OF_A_SOURCE = { 'of a source': { value: { sourceId: EXAMPLE_IDS.madeSource } } };

@ApiTags('webhook sources')
@Controller('hook-requests')
export class HookRequestsController {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditLog,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List the failed requests of webhooks, newest first: no events could be made of them',
    description:
      'They are kept for `CDP_REJECTED_RETENTION_DAYS` after they came, also when they were run again since. A page ends before `limit` where it has some 8 MB of requests; the `Link` header says whether there are more. Where their events name a person they go when that person is deleted.',
  })
  @ApiOkResponse({ type: [HookRequestDto] })
  async find(
    @Query() query: HookRequestsQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<HookRequestDto[]> {
    const { found, more } = await findFailedHookRequests(query, query.limit, this.database);
    if (more) linkNext(found.at(-1)?.id ?? '', query, '/hook-requests', reply);
    return found.map(HookRequestDto.from);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a failed request of a webhook' })
  @ApiOkResponse({ type: HookRequestDto })
  @ApiProblems(HookRequestNotFoundError)
  async findOne(@Param('id') id: string): Promise<HookRequestDto> {
    const { found } = isUUID(id) ? await findFailedHookRequests({ id }, 1, this.database) : { found: [] };
    const [request] = found;
    if (request === undefined) throw new HookRequestNotFoundError(id);
    return HookRequestDto.from(request);
  }

  @Post('run')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Run failed requests again, oldest first: once the transformation or the plan was mended',
    description:
      'They wait for their turn, within about a second; those that fail again are listed, and counted as rejected, ' +
      'again. Without a filter all that failed are run.',
  })
  @ApiBody({ type: SettleHookRequestsDto, examples: OF_A_SOURCE })
  @ApiOkResponse({ type: SettledHookRequestsDto })
  run(@Body() filter: SettleHookRequestsDto, @CurrentActor() actor: Actor): Promise<SettledHookRequestsDto> {
    return this.settle('run', filter, actor);
  }

  @Post('discard')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Delete failed requests',
    description: 'Without a filter all of them.',
  })
  @ApiBody({ type: SettleHookRequestsDto, examples: OF_A_SOURCE })
  @ApiOkResponse({ type: SettledHookRequestsDto })
  discard(
    @Body() filter: SettleHookRequestsDto,
    @CurrentActor() actor: Actor,
  ): Promise<SettledHookRequestsDto> {
    return this.settle('discard', filter, actor);
  }

  @Post(':id/run')
  @HttpCode(204)
  @ApiOperation({ summary: 'Run a failed request again' })
  @ApiNoContentResponse({ description: 'It waits for its turn.' })
  @ApiProblems(HookRequestNotFoundError)
  runOne(@Param('id') id: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.settleOne('run', id, actor);
  }

  @Post(':id/discard')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a failed request' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(HookRequestNotFoundError)
  discardOne(@Param('id') id: string, @CurrentActor() actor: Actor): Promise<void> {
    return this.settleOne('discard', id, actor);
  }

  private async settleOne(action: AuditedAction<'hook_request'>, id: string, actor: Actor): Promise<void> {
    const { settled } = isUUID(id) ? await this.settle(action, { id }, actor) : { settled: 0 };
    if (settled === 0) throw new HookRequestNotFoundError(id);
  }

  private async settle(
    action: AuditedAction<'hook_request'>,
    search: HookRequestSearch,
    actor: Actor,
  ): Promise<SettledHookRequestsDto> {
    const settle = action === 'run' ? runHookRequestsAgain : discardHookRequests;
    const settled = await this.database.transaction(async (tx) => {
      const requests = await settle(search, tx);
      const { id = '', ...filter } = search;
      const after = { requests, filter };
      if (requests > 0)
        await this.audit.record(tx, actor, { action, resource: 'hook_request', resourceId: id, after });
      return requests;
    });
    return { settled, remaining: await countFailedHookRequests(search, this.database) };
  }
}
