import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../../events/customer-event';
import { ProfileEventDto } from './profile-event.dto';

/** A segment that a profile is in. */
export class ProfileSegmentDto {
  @ApiProperty({ type: String, format: 'uuid' })
  id: string;

  @ApiProperty({ type: String })
  name: string;
}

/** The unified profile of one person. */
export class ProfileDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The user id. Of merged users it is the one that the others were merged into. Null for a visitor who is no user yet.',
  })
  userId: string | null;

  @ApiProperty({
    type: [String],
    description:
      'Further user ids that were merged into this profile. The `previousId` of an alias is one unless events bear it as an anonymous id alone.',
  })
  mergedUserIds: string[];

  @ApiProperty({ type: [String], description: 'Ids that events of this person bear as `anonymousId`.' })
  anonymousIds: string[];

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'The last writer of each trait wins.',
  })
  traits: JsonObject;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    example: { orders: 3, lifetime_value: 129.9 },
    description: 'The computed traits by name, counted now; those without a value are left out.',
  })
  computed: JsonObject;

  @ApiProperty({ type: [String], description: 'Ids of the groups the person belongs to.' })
  groups: string[];

  @ApiProperty({ type: [ProfileSegmentDto] })
  segments: ProfileSegmentDto[];

  @ApiProperty({ type: Number, description: 'How many events there are in all.' })
  eventCount: number;

  @ApiProperty({ type: String, format: 'date-time' })
  firstSeenAt: string;

  @ApiProperty({ type: String, format: 'date-time' })
  lastSeenAt: string;

  @ApiProperty({
    type: [ProfileEventDto],
    description: 'Newest first; fewer than `limit` where they are large.',
  })
  events: ProfileEventDto[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Give it as `cursor` to get the next older events; null when there are none.',
  })
  nextCursor: string | null;
}
