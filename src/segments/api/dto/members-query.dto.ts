import { OpaqueCursor, PageLimit } from '../../../platform/http/resources/page';

const MAX_MEMBERS_PER_PAGE = 10_000;

/** Which members to answer. Without a limit: all of them. */
export class MembersQueryDto {
  @PageLimit(MAX_MEMBERS_PER_PAGE, { description: 'Without: all members.' })
  limit?: number;

  @OpaqueCursor()
  cursor?: string;
}
