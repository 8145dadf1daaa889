import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../events/customer-event';
import { userIdOf } from '../../events/subject';
import type { ProfileFacts } from '../touched-profile';

/** A profile in a listing. */
export class ProfileSummaryDto {
  @ApiProperty({ type: String })
  userId: string;

  @ApiProperty({ type: 'object', additionalProperties: true })
  traits: JsonObject;

  @ApiProperty({ type: [String] })
  groups: string[];

  @ApiProperty({ type: Number })
  eventCount: number;

  @ApiProperty({ type: String, format: 'date-time' })
  firstSeenAt: string;

  @ApiProperty({ type: String, format: 'date-time' })
  lastSeenAt: string;

  static from(facts: ProfileFacts): ProfileSummaryDto {
    const { subject, traits, groups, eventCount, firstSeenAt, lastSeenAt } = facts;
    return {
      userId: userIdOf(subject) ?? '',
      traits,
      groups: [...groups],
      eventCount,
      firstSeenAt,
      lastSeenAt,
    };
  }
}
