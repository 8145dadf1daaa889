import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiBearerAuth, ApiTags } from '@nestjs/swagger';
import { CreateDestinationDto } from './dto/create-destination.dto';
import { DestinationDto } from './dto/destination.dto';
import { UpdateDestinationDto } from './dto/update-destination.dto';
import { DestinationsService } from './destinations.service';

@ApiTags('destinations')
@ApiBearerAuth()
@Controller('destinations')
export class DestinationsController {
  constructor(private readonly destinations: DestinationsService) {}

  @Get()
  findAll(): Promise<DestinationDto[]> {
    return this.destinations.findAll();
  }

  @Get(':id')
  findOne(@Param('id') destinationId: string): Promise<DestinationDto> {
    return this.destinations.findOne(destinationId);
  }

  @Post()
  create(@Body() destination: CreateDestinationDto): Promise<DestinationDto> {
    return this.destinations.create(destination);
  }

  @Put(':id')
  update(@Param('id') destinationId: string, @Body() changes: UpdateDestinationDto): Promise<DestinationDto> {
    return this.destinations.update(destinationId, changes);
  }

  @Delete(':id')
  @HttpCode(204)
  delete(@Param('id') destinationId: string): Promise<void> {
    return this.destinations.delete(destinationId);
  }
}
