import { Controller, Get, Headers, Param, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Readable } from 'node:stream';
import { linkNext } from '../../platform/http/resources/page';
import { ApiProblems } from '../../platform/openapi/api-problem.decorator';
import { MembersQueryDto } from './dto/members-query.dto';
import { readTextCursor, writeTextCursor } from '../../platform/http/resources/text-cursor';
import { SegmentMembers } from '../reading/segment-members';
import { SegmentRepository } from '../segment.repository';
import { SegmentNotFoundError } from '../segment-problems';
import { membersFormat, writeMembers } from '../reading/write-members';

@ApiTags('segments')
@Controller('segments/:id/members')
export class SegmentMembersController {
  constructor(
    private readonly segments: SegmentRepository,
    private readonly members: SegmentMembers,
  ) {}

  @Get()
  @ApiOperation({ summary: 'The user ids of all members, in a stable order' })
  @ApiOkResponse({ schema: { type: 'array', items: { type: 'string' } } })
  @ApiProblems(SegmentNotFoundError)
  @ApiProduces('application/json', 'application/x-ndjson')
  async findAll(
    @Param('id') segmentId: string,
    @Query() { limit, cursor }: MembersQueryDto,
    @Headers('accept') accept: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    await this.segments.demand(segmentId);
    const format = membersFormat(accept);
    void reply.type(format === 'application/json' ? 'application/json; charset=utf-8' : format);
    const after = cursor === undefined ? undefined : readTextCursor(cursor);
    if (limit === undefined) {
      void reply.send(Readable.from(writeMembers(this.members.chunks(segmentId, format, after), format)));
      return;
    }
    const { text, lastUserId, hasMore } = await this.members.page(segmentId, format, limit, after);
    if (hasMore && lastUserId !== undefined) {
      linkNext(writeTextCursor(lastUserId), { limit }, `/segments/${segmentId}/members`, reply);
    }
    void reply.send(Readable.from(writeMembers(text === '' ? [] : [text], format)));
  }
}
