import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { CreateSegmentDto } from './dto/create-segment.dto';
import { SegmentDto } from './dto/segment.dto';
import { UpdateSegmentDto } from './dto/update-segment.dto';
import { SegmentsService } from './segments.service';

@ApiTags('segments')
@ApiBearerAuth()
@Controller('segments')
export class SegmentsController {
  constructor(private readonly segments: SegmentsService) {}

  @Get()
  findAll(): Promise<SegmentDto[]> {
    return this.segments.findAll();
  }

  @Get(':id')
  findOne(@Param('id') segmentId: string): Promise<SegmentDto> {
    return this.segments.findOne(segmentId);
  }

  @Post()
  create(@Body() segment: CreateSegmentDto): Promise<SegmentDto> {
    return this.segments.create(segment);
  }

  @Put(':id')
  update(@Param('id') segmentId: string, @Body() changes: UpdateSegmentDto): Promise<SegmentDto> {
    return this.segments.update(segmentId, changes);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@Param('id') segmentId: string): Promise<void> {
    return this.segments.delete(segmentId);
  }
}
