import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentActor } from '../../../platform/auth/current-actor.decorator';
import type { Actor } from '../../../platform/auth/principal';
import { Scopes } from '../../../platform/auth/scopes.decorator';
import { NameTakenError } from '../../../platform/http/resources/names';
import { cutPage, PageQueryDto } from '../../../platform/http/resources/page';
import {
  ApiIfMatch,
  ChangedMeanwhileError,
  type ExpectedVersions,
  IfMatch,
  VersionMismatchError,
} from '../../../platform/http/resources/version';
import { ApiIdempotencyKey } from '../../../platform/idempotency/api-idempotency-key.decorator';
import { ApiProblems } from '../../../platform/openapi/api-problem.decorator';
import { ComputedTraitPreview } from '../../explaining/computed-trait-preview';
import { RuleWarnings } from '../../explaining/rule-warnings';
import { SegmentsBusyError } from '../../segment-problems';
import {
  ComputedTraitInUseError,
  ComputedTraitNotFoundError,
  TooManyComputedTraitsError,
} from '../computed-trait-problems';
import type { ComputedTrait } from '../computed-trait.entity';
import { ComputedTraitsService } from './computed-traits.service';
import { ChangedComputedTraitDto, ComputedTraitDto } from './dto/computed-trait.dto';
import { CreateComputedTraitDto } from './dto/create-computed-trait.dto';
import { ComputedTraitPreviewDto, PreviewComputedTraitDto } from './dto/preview-computed-trait.dto';
import { UpdateComputedTraitDto } from './dto/update-computed-trait.dto';

@ApiTags('computed traits')
@Controller('computed-traits')
export class ComputedTraitsController {
  constructor(
    private readonly traits: ComputedTraitsService,
    private readonly warnings: RuleWarnings,
    private readonly previews: ComputedTraitPreview,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the computed traits' })
  @ApiOkResponse({ type: [ComputedTraitDto] })
  async findAll(
    @Query() query: PageQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ComputedTraitDto[]> {
    const page = cutPage(await this.traits.findAll(query), query, '/computed-traits', reply);
    const states = await this.traits.valueStates();
    return page.map((trait) => ComputedTraitDto.from(trait, states.get(trait.id)));
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a computed trait' })
  @ApiOkResponse({ type: ComputedTraitDto })
  @ApiProblems(ComputedTraitNotFoundError)
  async findOne(@Param('id') traitId: string): Promise<ComputedTraitDto> {
    return this.show(await this.traits.findOne(traitId));
  }

  @Post()
  @ApiOperation({
    summary: 'Create a computed trait: a value about what people did, counted from the stored events',
    description:
      '`GET /profiles/{userId}` has it under `computed`, rules of segments and filters of destinations ask about `computed.<name>`.',
  })
  @ApiCreatedResponse({ type: ChangedComputedTraitDto })
  @ApiProblems(TooManyComputedTraitsError, NameTakenError, SegmentsBusyError)
  @ApiIdempotencyKey()
  async create(
    @Body() trait: CreateComputedTraitDto,
    @CurrentActor() actor: Actor,
  ): Promise<ChangedComputedTraitDto> {
    return this.showChanged(await this.traits.create(trait, actor));
  }

  @Post('preview')
  @HttpCode(200)
  @Scopes('cdp:read')
  @ApiOperation({
    summary: 'Count who would have a value, and show some of the values, without saving anything',
    description: 'They are counted from the stored events of everybody: after 20 seconds the answer is 503.',
  })
  @ApiOkResponse({ type: ComputedTraitPreviewDto })
  preview(@Body() definition: PreviewComputedTraitDto): Promise<ComputedTraitPreviewDto> {
    return this.previews.preview(definition);
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a computed trait; what is counted, from `event` to `within`, is replaced as a whole',
    description:
      'A name or description that is left out stays. While rules of segments or filters of destinations ask about it, its description alone can be changed.',
  })
  @ApiOkResponse({ type: ChangedComputedTraitDto })
  @ApiProblems(
    ComputedTraitInUseError,
    ComputedTraitNotFoundError,
    ChangedMeanwhileError,
    NameTakenError,
    VersionMismatchError,
    SegmentsBusyError,
  )
  @ApiIfMatch()
  async update(
    @Param('id') traitId: string,
    @Body() changes: UpdateComputedTraitDto,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<ChangedComputedTraitDto> {
    return this.showChanged(await this.traits.update(traitId, changes, actor, expected));
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a computed trait that no segment or filter asks about' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(
    ComputedTraitInUseError,
    ComputedTraitNotFoundError,
    ChangedMeanwhileError,
    VersionMismatchError,
    SegmentsBusyError,
  )
  @ApiIfMatch()
  delete(
    @Param('id') traitId: string,
    @CurrentActor() actor: Actor,
    @IfMatch() expected: ExpectedVersions,
  ): Promise<void> {
    return this.traits.delete(traitId, actor, expected);
  }

  private async showChanged(trait: ComputedTrait): Promise<ChangedComputedTraitDto> {
    const warnings = await this.warnings.ofDefinition(trait.definition);
    return Object.assign(await this.show(trait), { warnings });
  }

  private async show(trait: ComputedTrait): Promise<ComputedTraitDto> {
    const states = await this.traits.valueStates();
    return ComputedTraitDto.from(trait, states.get(trait.id));
  }
}
