import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { CreateSourceDto } from './dto/create-source.dto';
import { SourceDto } from './dto/source.dto';
import { UpdateSourceDto } from './dto/update-source.dto';
import { SourcesService } from './sources.service';

@ApiTags('sources')
@ApiBearerAuth()
@Controller('sources')
export class SourcesController {
  constructor(private readonly sources: SourcesService) {}

  @Get()
  findAll(): Promise<SourceDto[]> {
    return this.sources.findAll();
  }

  @Get(':id')
  findOne(@Param('id') sourceId: string): Promise<SourceDto> {
    return this.sources.findOne(sourceId);
  }

  @Post()
  create(@Body() source: CreateSourceDto): Promise<SourceDto> {
    return this.sources.create(source);
  }

  @Put(':id')
  update(@Param('id') sourceId: string, @Body() changes: UpdateSourceDto): Promise<SourceDto> {
    return this.sources.update(sourceId, changes);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@Param('id') sourceId: string): Promise<void> {
    return this.sources.delete(sourceId);
  }
}
