import { Body, Controller, Get, Header, Put, Query, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiConsumes, ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { stringify } from 'yaml';
import { CurrentActor } from '../platform/auth/current-actor.decorator';
import type { Actor } from '../platform/auth/principal';
import {
  VersionMismatchError,
  ApiIfMatch,
  type ExpectedVersions,
  IfMatch,
} from '../platform/http/resources/version';
import { ApiProblems, inCase } from '../platform/openapi/api-problem.decorator';
import { ConfigurationExporter } from './configuration-exporter';
import { ConfigurationService } from './configuration.service';
import { ConfigDocumentDto } from './dto/config-document.dto';
import { ApplyQueryDto, ExportQueryDto } from './dto/config-query.dto';
import { ConfigResultDto } from './dto/config-result.dto';
import { YAML_TYPE } from './yaml-bodies';
import {
  AmbiguousNameError,
  ConfigurationBusyError,
  ConfigurationPartlyAppliedError,
} from './configuration-problems';

/** What may be configured, such as 10,000 destinations, is longer than any other body. */
const MAX_DOCUMENT_BYTES = 8 * 1024 * 1024;

const OTHER_VERSION = inCase(VersionMismatchError, 'If-Match does not name the present configuration.');

@ApiTags('configuration')
@Controller('config')
export class ConfigurationController {
  constructor(
    private readonly configuration: ConfigurationService,
    private readonly exporter: ConfigurationExporter,
  ) {}

  @Get('export')
  @Header('cache-control', 'no-store')
  @ApiOperation({
    summary: 'All that is configured as one document',
    description: 'Names stand for ids and references for secrets, so that it can be kept in Git.',
  })
  @ApiOkResponse({ type: ConfigDocumentDto })
  @ApiProduces('application/json', YAML_TYPE)
  @ApiProblems(AmbiguousNameError)
  async export(
    @Query() { format = 'json' }: ExportQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<object | string> {
    const { version, document } = await this.exporter.export();
    void reply.header('etag', `"${version}"`);
    if (format === 'json') return document;
    void reply.type(`${YAML_TYPE}; charset=utf-8`);
    // Long lines are not broken, or code would be shown with empty lines between its own.
    return stringify(document, { aliasDuplicateObjects: false, lineWidth: 0 });
  }

  @Put()
  @RouteConfig({ bodyLimit: MAX_DOCUMENT_BYTES })
  @ApiOperation({
    summary: 'Apply a document; with `dryRun=true`, only say what it would change',
    description:
      'What is checked is what creating and changing each resource checks, all of it before the first change. Applying a document twice changes nothing. A dry run answers the `ETag` of the configuration that it was made for: with it in `If-Match`, what is done is what it said. JSON may have 8 MB, YAML 256 KB.',
  })
  @ApiConsumes('application/json', YAML_TYPE)
  @ApiOkResponse({ type: ConfigResultDto })
  @ApiProblems(AmbiguousNameError, ConfigurationBusyError, ConfigurationPartlyAppliedError, OTHER_VERSION)
  @ApiIfMatch()
  async apply(
    @Body() document: ConfigDocumentDto,
    @Query() { dryRun = false, prune = false }: ApplyQueryDto,
    @IfMatch() expected: ExpectedVersions,
    @CurrentActor() actor: Actor,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ConfigResultDto> {
    if (!dryRun) return this.configuration.apply(document, { prune, expected }, actor);
    const { version, changes } = await this.configuration.preview(document, { prune, expected });
    void reply.header('etag', `"${version}"`);
    return { changes };
  }
}
