import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../../events/customer-event';
import { OpaqueCursor, PageLimit } from '../../../platform/http/resources/page';

export const DEFAULT_MEMBERS = 100;
const MAX_MEMBERS = 1_000;

/** Which members of a group to answer. */
export class GroupQueryDto {
  @PageLimit(MAX_MEMBERS, { description: `Members to answer; ${DEFAULT_MEMBERS} unless told.` })
  limit?: number;

  @OpaqueCursor()
  cursor?: string;
}

/** What is known of a group. */
export class GroupDto {
  @ApiProperty({ example: 'acme' })
  groupId: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Of all its group events: the last writer wins per trait.',
    example: { name: 'Acme Corp.', plan: 'enterprise' },
  })
  traits: JsonObject;

  @ApiProperty({
    type: [String],
    description: 'Ids of the users in it, in the order of their bytes; `Link` leads to the next ones.',
    example: ['ada'],
  })
  members: string[];
}
