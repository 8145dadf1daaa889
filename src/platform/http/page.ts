import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsUUID, Max, Min } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Optional } from './optional';

const MAX_PAGE = 1_000;

/** How listings are read page by page. Ids are UUIDv7, so a listing is in the order of creation. */
export class PageQueryDto {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PAGE, example: 100 })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  limit?: number;

  @ApiPropertyOptional({
    format: 'uuid',
    description: 'From the `Link: …; rel="next"` header of the page before.',
  })
  @Optional()
  @IsUUID()
  cursor?: string;
}

/**
 * Cuts a page out of rows that were read one further than `limit`, and names the next page in the `Link` header.
 * Further members of the query (filters) go into that link.
 */
export function cutPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
  query: PageQueryDto,
  path: string,
  reply: FastifyReply,
): Row[] {
  const { limit, ...filters } = query;
  if (limit === undefined || rows.length <= limit) return [...rows];
  const page = rows.slice(0, limit);
  const given = Object.entries(filters).filter(([name, value]) => name !== 'cursor' && value !== undefined);
  const nextQuery = new URLSearchParams([
    ...given.map(([name, value]): [string, string] => [name, value]),
    ['limit', String(limit)],
    ['cursor', page.at(-1)?.id ?? ''],
  ]);
  void reply.header('link', `<${path}?${nextQuery.toString()}>; rel="next"`);
  return page;
}
