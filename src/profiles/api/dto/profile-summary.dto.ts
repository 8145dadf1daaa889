import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject } from '../../../events/customer-event';
import { userIdOf } from '../../../events/subject';
import type { Profile } from '../../profile.entity';

/** What is shown of a profile. */
export type SeenProfile = Pick<
  Profile,
  'subject' | 'traits' | 'groups' | 'eventCount' | 'firstSeenAt' | 'lastSeenAt'
>;

/** A profile in a listing. */
export class ProfileSummaryDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Null for a visitor who is no user yet, whom only `anonymousId` finds.',
  })
  userId: string | null;

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

  /** Of a profile with events. */
  static from({ subject, traits, groups, eventCount, ...seen }: SeenProfile): ProfileSummaryDto {
    return {
      userId: userIdOf(subject) ?? null,
      traits,
      groups: groups.toSorted(),
      eventCount,
      firstSeenAt: seen.firstSeenAt?.toISOString() ?? '',
      lastSeenAt: seen.lastSeenAt?.toISOString() ?? '',
    };
  }
}
