import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { linkNext } from '../../platform/http/resources/page';
import { ApiProblems, inCase } from '../../platform/openapi/api-problem.decorator';
import { ProfileDto } from './dto/profile.dto';
import { ProfileOriginsDto } from './dto/profile-origins.dto';
import { PersonQueryDto, subjectBy } from './dto/person-query.dto';
import { ProfileQueryDto } from './dto/profile-query.dto';
import { ProfileSummaryDto } from './dto/profile-summary.dto';
import { SearchQueryDto } from './dto/search-query.dto';
import { ProfileNotFoundError } from '../profile-problems';
import { ProfileOrigins } from '../reading/profile-origins';
import { ProfileSearch } from '../reading/profile-search';
import { ProfileReader } from '../reading/profile-reader';

const NO_EVENT = inCase(ProfileNotFoundError, 'No accepted event was about this person.');

@ApiTags('profiles')
@Controller('profiles')
export class ProfilesController {
  constructor(
    private readonly reader: ProfileReader,
    private readonly search: ProfileSearch,
    private readonly origins: ProfileOrigins,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'Known users in the order of their ids, by prefix and by traits; or whose an anonymous id is',
  })
  @ApiOkResponse({
    type: [ProfileSummaryDto],
    description: 'A page may be short, even empty: as long as there is a `Link` to a next one, go on.',
  })
  async findAll(
    @Query() query: SearchQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ProfileSummaryDto[]> {
    const { profiles, cursor } = await this.search.findPage(query);
    if (cursor !== undefined) linkNext(cursor, query, '/profiles', reply);
    return profiles;
  }

  @Get(':userId')
  @ApiOperation({
    summary: 'The unified profile of one person: merged traits and events, newest first',
    description: 'With `by=anonymousId` also of a visitor who is no user yet.',
  })
  @ApiOkResponse({ type: ProfileDto })
  @ApiProblems(NO_EVENT)
  findOne(@Param('userId') userId: string, @Query() query: ProfileQueryDto): Promise<ProfileDto> {
    return this.reader.findOne(subjectBy(userId, query.by), query);
  }

  @Get(':userId/origins')
  @ApiOperation({
    summary:
      'Where the profile of a person comes from: the event that set each trait, and that linked each id',
  })
  @ApiOkResponse({ type: ProfileOriginsDto })
  @ApiProblems(NO_EVENT)
  findOrigins(@Param('userId') userId: string, @Query() { by }: PersonQueryDto): Promise<ProfileOriginsDto> {
    return this.origins.of(subjectBy(userId, by));
  }
}
