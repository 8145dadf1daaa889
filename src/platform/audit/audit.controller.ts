import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Scopes } from '../auth/scopes.decorator';
import { Database } from '../database/database';
import { cutPage } from '../http/resources/page';
import { AuditEntryDto } from './audit-entry.dto';
import { AuditQueryDto } from './audit-query.dto';
import { readEntries } from './read-entries';

@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly database: Database) {}

  @Get()
  @Scopes('cdp:admin')
  @ApiOperation({
    summary: 'Who changed what, newest first',
    description:
      'Filters that are given together have to fit all. Entries stay for good, also when the thing or the token is gone; people go by their pseudonyms.',
  })
  @ApiOkResponse({ type: [AuditEntryDto] })
  async findAll(
    @Query() query: AuditQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEntryDto[]> {
    const rows = await readEntries(query, query.limit + 1, this.database);
    return cutPage(rows, query, '/audit', reply);
  }
}
