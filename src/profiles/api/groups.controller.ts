import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { linkNext } from '../../platform/http/resources/page';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import { GroupDto, GroupQueryDto } from './dto/group.dto';
import { GroupReader } from '../reading/group-reader';
import { GroupNotFoundError } from '../profile-problems';

@ApiTags('profiles')
@Controller('groups')
export class GroupsController {
  constructor(private readonly groups: GroupReader) {}

  @Get(':groupId')
  @ApiOperation({ summary: 'A group: its traits, and the users in it, page by page' })
  @ApiOkResponse({ type: GroupDto })
  @ApiProblems(GroupNotFoundError)
  async findOne(
    @Param('groupId') groupId: string,
    @Query() query: GroupQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GroupDto> {
    const { group, cursor } = await this.groups.findOne(groupId, query);
    if (cursor !== undefined) {
      const { limit = group.members.length } = query;
      linkNext(cursor, { limit }, `/groups/${encodeURIComponent(groupId)}`, reply);
    }
    return group;
  }
}
