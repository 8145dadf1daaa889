import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiBearerAuth, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ProfileDto } from './dto/profile.dto';
import { ProfileQueryDto } from './dto/profile-query.dto';
import { ProfileReader } from './reading/profile-reader';

@ApiTags('profiles')
@ApiBearerAuth()
@Controller('profiles')
export class ProfilesController {
  constructor(private readonly reader: ProfileReader) {}

  @Get(':userId')
  @ApiOperation({ summary: 'The unified profile of one user: merged traits and events, newest first' })
  @ApiOkResponse({ type: ProfileDto })
  @ApiNotFoundResponse({ description: 'No accepted event was about this user.' })
  findOne(@Param('userId') userId: string, @Query() query: ProfileQueryDto): Promise<ProfileDto> {
    return this.reader.findOne(userId, query);
  }
}
