import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsObject, IsOptional, IsString, Length, MaxLength } from 'class-validator';
import { EVENT_TYPES, type EventType, type JsonObject } from '../../events/customer-event';
import { MAX_ID_LENGTH } from '../../events/subject';
import { MAX_MESSAGE_ID_LENGTH } from './limits';
import { ContextDto } from './context.dto';
import { IsName, NeedsPerson } from './event-rules';

const PROPERTIES = { type: 'object', additionalProperties: true, nullable: true } as const;

/**
 * What every event has. The validators of these classes are the check of events (`event-schema.ts`) and what Swagger
 * shows of them, once `read-members.ts` has read what SDKs mean. Members that are not listed are kept and delivered.
 */
export class EventDto {
  @ApiProperty()
  @IsIn(EVENT_TYPES)
  type: EventType;

  @ApiProperty({
    example: '622bc5a3-d93e-48e4-b85d-d2ad521127fc',
    description: 'Unique per event. The same messageId from the same source is stored once.',
  })
  @Length(1, MAX_MESSAGE_ID_LENGTH)
  messageId: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-11-20T12:00:00.000Z',
    description:
      'When it happened, ISO 8601; also with a blank for the T, as `str(datetime)` of Python writes it, a comma before the fraction, or no offset, which is UTC. Moved by the difference of the clocks where `sentAt` differs from the time of reception by half a second or more.',
  })
  @IsString()
  timestamp: string;

  @ApiProperty({ format: 'date-time', description: 'Stands for a timestamp that is missing.' })
  originalTimestamp?: string;

  @ApiProperty({ nullable: true, example: 'anon-7f3a', description: 'Of a visitor who is not known yet.' })
  @IsOptional()
  @MaxLength(MAX_ID_LENGTH)
  anonymousId?: string;

  @ApiProperty({ type: () => ContextDto, nullable: true })
  @IsOptional()
  @IsObject()
  context?: ContextDto;

  /** Kept on every type, meant for track, page and screen. */
  @ApiProperty({ ...PROPERTIES, example: { revenue: 9.5, currency: 'EUR' } })
  @IsOptional()
  @IsObject()
  properties?: JsonObject;

  /** Kept on every type, meant for identify and group. */
  @ApiProperty({ ...PROPERTIES, example: { plan: 'pro', email: 'ada@example.com' } })
  @IsOptional()
  @IsObject()
  traits?: JsonObject;
}

/** An event that may have a userId. One of an unknown type is checked as such. */
export class PersonEventDto extends EventDto {
  @ApiProperty({ nullable: true, example: 'ada' })
  @IsOptional()
  @MaxLength(MAX_ID_LENGTH)
  userId?: string;
}

/** Somebody did something. Needs a userId or an anonymousId. */
@NeedsPerson()
export class TrackEventDto extends PersonEventDto {
  @ApiProperty()
  @IsIn(['track'])
  override type: 'track';

  @ApiProperty({ minLength: 1, example: 'Order Completed' })
  @IsName()
  event: string;
}

/** What is known about somebody. Needs a userId or an anonymousId. */
@NeedsPerson()
export class IdentifyEventDto extends PersonEventDto {
  @ApiProperty()
  @IsIn(['identify'])
  override type: 'identify';
}

/** What was looked at. */
class ViewEventDto extends PersonEventDto {
  @ApiProperty({ nullable: true, example: 'Home' })
  @IsOptional()
  @IsName()
  name?: string;

  @ApiProperty({ nullable: true, example: 'Docs' })
  @IsOptional()
  @IsName()
  category?: string;
}

/** Somebody looked at a page. Needs a userId or an anonymousId. */
@NeedsPerson()
export class PageEventDto extends ViewEventDto {
  @ApiProperty()
  @IsIn(['page'])
  override type: 'page';
}

/** Somebody looked at a screen of an app. Needs a userId or an anonymousId. */
@NeedsPerson()
export class ScreenEventDto extends ViewEventDto {
  @ApiProperty()
  @IsIn(['screen'])
  override type: 'screen';
}

/** Somebody belongs to a group. The ids are optional. */
export class GroupEventDto extends PersonEventDto {
  @ApiProperty()
  @IsIn(['group'])
  override type: 'group';

  @ApiProperty({ example: 'g-1' })
  @MaxLength(MAX_ID_LENGTH)
  groupId: string;
}

/** previousId and userId are the same person. */
export class AliasEventDto extends EventDto {
  @ApiProperty()
  @IsIn(['alias'])
  override type: 'alias';

  @ApiProperty({ example: 'ada' })
  @MaxLength(MAX_ID_LENGTH)
  userId: string;

  @ApiProperty({ example: 'anon-7f3a' })
  @MaxLength(MAX_ID_LENGTH)
  previousId: string;
}

/** The class that describes each type of event. */
export const EVENT_DTOS = {
  track: TrackEventDto,
  identify: IdentifyEventDto,
  page: PageEventDto,
  screen: ScreenEventDto,
  group: GroupEventDto,
  alias: AliasEventDto,
} as const satisfies Record<EventType, new () => EventDto>;
