import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Scopes } from '../auth/scopes.decorator';
import { Database } from '../database/database';
import { cutPage } from '../http/resources/page';
import { AuditEntryDto } from './audit-entry.dto';
import { AuditQueryDto } from './audit-query.dto';

const readEntriesSql = `
  select id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at, actor,
    actor_kind as "actorKind", actor_issuer as "actorIssuer", request_id as "requestId", action, resource, resource_id as "resourceId", before, after
  from audit_entry
  where ($1::uuid is null or id < $1) and ($2::text is null or resource = $2)
    and ($3::text is null or resource_id = $3) and ($4::text is null or actor = $4)
  order by id desc limit $5`;

@ApiTags('audit')
@Controller('audit')
export class AuditController {
  constructor(private readonly database: Database) {}

  @Get()
  @Scopes('cdp:admin')
  @ApiOperation({ summary: 'Who changed what, newest first' })
  @ApiOkResponse({ type: [AuditEntryDto] })
  async findAll(
    @Query() query: AuditQueryDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AuditEntryDto[]> {
    const { limit, cursor, resource, resourceId, actor } = query;
    const filters = [cursor, resource, resourceId, actor].map((value) => value ?? null);
    const rows = await this.database.query<AuditEntryDto>(readEntriesSql, [...filters, limit + 1]);
    return cutPage(rows, query, '/audit', reply);
  }
}
