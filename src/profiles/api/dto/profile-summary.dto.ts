import { ApiProperty } from '@nestjs/swagger';
import type { JsonObject, Subject } from '../../../events/customer-event';
import { userIdOf } from '../../../events/subject';

/** What is shown of a profile. */
export interface SeenProfile {
  readonly subject: Subject;
  readonly traits: JsonObject;
  readonly groups: readonly string[];
  readonly eventCount: number;
  /** Null as long as there are no events; as the next one. */
  readonly firstSeenAt: Date | null;
  readonly lastSeenAt: Date | null;
}

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
