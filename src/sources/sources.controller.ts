import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { ApiProblems } from '../platform/openapi/api-problem.decorator';
import { CreateSourceDto } from './dto/create-source.dto';
import { SourceDto } from './dto/source.dto';
import { UpdateSourceDto } from './dto/update-source.dto';
import { SourcesService } from './sources.service';

const NOT_FOUND = [404, 'source_not_found', 'There is no source with this id.'] as const;
const NAME_TAKEN = [409, 'source_name_taken', 'Another source has this name.'] as const;

@ApiTags('sources')
@ApiBearerAuth('bearer')
@Controller('sources')
export class SourcesController {
  constructor(private readonly sources: SourcesService) {}

  @Get()
  @ApiOperation({ summary: 'List the sources, each with its write key' })
  @ApiOkResponse({ type: [SourceDto] })
  findAll(): Promise<SourceDto[]> {
    return this.sources.findAll();
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a source' })
  @ApiOkResponse({ type: SourceDto })
  @ApiProblems(NOT_FOUND)
  findOne(@Param('id') sourceId: string): Promise<SourceDto> {
    return this.sources.findOne(sourceId);
  }

  @Post()
  @ApiOperation({ summary: 'Create a source; its write key is made by the service' })
  @ApiCreatedResponse({ type: SourceDto })
  @ApiProblems(NAME_TAKEN)
  create(@Body() source: CreateSourceDto): Promise<SourceDto> {
    return this.sources.create(source);
  }

  @Put(':id')
  @ApiOperation({ summary: 'Change a source; members left out stay as they are' })
  @ApiOkResponse({ type: SourceDto })
  @ApiProblems(NOT_FOUND, NAME_TAKEN)
  update(@Param('id') sourceId: string, @Body() changes: UpdateSourceDto): Promise<SourceDto> {
    return this.sources.update(sourceId, changes);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a source; its write key stops working, its events stay' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(NOT_FOUND)
  delete(@Param('id') sourceId: string): Promise<void> {
    return this.sources.delete(sourceId);
  }
}
