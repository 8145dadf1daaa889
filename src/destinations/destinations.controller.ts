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
import { DestinationsService } from './destinations.service';
import { CreateDestinationDto } from './dto/create-destination.dto';
import { DestinationDto } from './dto/destination.dto';
import { UpdateDestinationDto } from './dto/update-destination.dto';

const NOT_FOUND = [404, 'destination_not_found', 'There is no destination with this id.'] as const;
const NAME_TAKEN = [409, 'destination_name_taken', 'Another destination has this name.'] as const;
const UNKNOWN_TYPE = [400, 'unknown_destination_type', 'No installed connector has this id.'] as const;
const TYPE_FIXED = [400, 'destination_type_fixed', 'The type of a destination cannot be changed.'] as const;
const INVALID = [
  400,
  'invalid_request',
  'The request, or the config of the connector, is not valid.',
] as const;

@ApiTags('destinations')
@ApiBearerAuth('bearer')
@Controller('destinations')
export class DestinationsController {
  constructor(private readonly destinations: DestinationsService) {}

  @Get()
  @ApiOperation({ summary: 'List the destinations, secrets masked' })
  @ApiOkResponse({ type: [DestinationDto] })
  findAll(): Promise<DestinationDto[]> {
    return this.destinations.findAll();
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show a destination, secrets masked' })
  @ApiOkResponse({ type: DestinationDto })
  @ApiProblems(NOT_FOUND)
  findOne(@Param('id') destinationId: string): Promise<DestinationDto> {
    return this.destinations.findOne(destinationId);
  }

  @Post()
  @ApiOperation({ summary: 'Create a destination; the answer is the only one with the secret in full' })
  @ApiCreatedResponse({ type: DestinationDto })
  @ApiProblems(INVALID, UNKNOWN_TYPE, NAME_TAKEN)
  create(@Body() destination: CreateDestinationDto): Promise<DestinationDto> {
    return this.destinations.create(destination);
  }

  @Put(':id')
  @ApiOperation({
    summary: 'Change a destination; members left out stay as they are',
    description:
      'A `config` replaces the old one, except that a secret which is left out, or sent as its mask, is kept.',
  })
  @ApiOkResponse({ type: DestinationDto })
  @ApiProblems(NOT_FOUND, INVALID, TYPE_FIXED, NAME_TAKEN)
  update(@Param('id') destinationId: string, @Body() changes: UpdateDestinationDto): Promise<DestinationDto> {
    return this.destinations.update(destinationId, changes);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a destination; what still waits for it is cancelled' })
  @ApiNoContentResponse({ description: 'It is gone.' })
  @ApiProblems(NOT_FOUND)
  delete(@Param('id') destinationId: string): Promise<void> {
    return this.destinations.delete(destinationId);
  }
}
