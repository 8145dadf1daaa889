import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsString, IsUUID, MaxLength } from 'class-validator';
import type { FastifyReply } from 'fastify';
import { Optional } from '../input/optional';
import { OptionalInteger } from '../input/optional-members';
import { InvalidRequestError } from '../problems/problem';

const MAX_PAGE = 1_000;
const MAX_CURSOR_LENGTH = 4_096;
const NO_CURSOR = 'must be from the Link header of an earlier answer';
const CURSOR_DESCRIPTION = 'From the `Link: …; rel="next"` header of the page before.';

/** The member `limit` of a query: how many entries a page may have. */
export function PageLimit(max: number, shown: ApiPropertyOptions = {}): PropertyDecorator {
  return applyDecorators(
    Type(() => Number),
    OptionalInteger(1, max, shown),
  );
}

/**
 * The member `cursor` of a query whose pages do not end with a plain id. What reads it throws {@link
 * InvalidCursorError}.
 */
export function OpaqueCursor(description = CURSOR_DESCRIPTION): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: String, maxLength: MAX_CURSOR_LENGTH, description }),
    Optional(),
    IsString(),
    MaxLength(MAX_CURSOR_LENGTH),
  );
}

/** A `cursor` that this service did not make. */
export class InvalidCursorError extends InvalidRequestError {
  constructor(message = NO_CURSOR) {
    super([{ path: 'cursor', code: 'invalid_cursor', message }]);
  }
}

/** How listings are read page by page. Ids are UUIDv7, so a listing is in the order of creation. */
export class PageQueryDto {
  @PageLimit(MAX_PAGE)
  limit?: number;

  /** Of any version: a search that stopped where nothing is names a place that no id has. */
  @ApiPropertyOptional({ format: 'uuid', description: CURSOR_DESCRIPTION })
  @Optional()
  @IsUUID('loose', { message: NO_CURSOR })
  cursor?: string;
}

/** How listings are read that go on growing: never all of one at once. */
export class ListQueryDto extends PageQueryDto {
  @PageLimit(MAX_PAGE, { default: 100 })
  override limit = 100;
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
  const { limit } = query;
  if (limit === undefined || rows.length <= limit) return [...rows];
  const page = rows.slice(0, limit);
  linkNext(page.at(-1)?.id ?? '', query, path, reply);
  return page;
}

/** Names the page from `cursor` on in the `Link` header. */
export function linkNext(cursor: string, query: PageQueryDto, path: string, reply: FastifyReply): void {
  const { limit, cursor: _, ...filters } = query;
  const given = Object.entries({ ...filters, limit, cursor }).flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (one === undefined ? [] : [[name, String(one)]])),
  );
  const nextQuery = new URLSearchParams(given);
  void reply.header('link', `<${path}?${nextQuery.toString()}>; rel="next"`);
}
