import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { Equals } from 'class-validator';
import type { EventType, JsonObject } from '../../events/customer-event';
import { MAX_MESSAGE_ID_LENGTH, MAX_NAME_BYTES } from '../limits';
import { ContextDto } from './context.dto';
import {
  IsIdText,
  IsIsoTimeUnlessTimestamp,
  IsLooseObject,
  IsName,
  IsPersonId,
  IsRequiredId,
  IsTimestampUnlessOriginal,
  IsUserIdUnlessAnonymous,
  MayBeAbsent,
} from './event-rules';

const ID = { nullable: true } as const;
const PROPERTIES = { type: 'object', additionalProperties: true, nullable: true } as const;

/**
 * What every event of a batch has. Members that are not listed are kept and delivered. How long ids and names may be
 * is added to the documentation by `events-openapi.ts`.
 */
export class EventDto {
  @ApiProperty({
    minLength: 1,
    example: '622bc5a3-d93e-48e4-b85d-d2ad521127fc',
    description: 'Unique per event. The same messageId from the same source is stored once.',
  })
  @IsIdText(MAX_MESSAGE_ID_LENGTH)
  messageId: string;

  @ApiProperty({
    format: 'date-time',
    example: '2026-11-20T12:00:00.000Z',
    description:
      'When it happened, ISO 8601; also with a blank for the T, as `str(datetime)` of Python writes it, a comma before the fraction, or no offset, which is UTC. Corrected for the clock of the client by sentAt.',
  })
  @IsTimestampUnlessOriginal()
  timestamp: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'Stands for a timestamp that is missing.' })
  @IsIsoTimeUnlessTimestamp()
  originalTimestamp?: string;

  @ApiPropertyOptional({ ...ID, example: 'anon-7f3a', description: 'Of a visitor who is not known yet.' })
  @IsPersonId()
  anonymousId?: string;

  @ApiPropertyOptional({ type: () => ContextDto, nullable: true })
  @IsLooseObject()
  context?: ContextDto;

  /** Kept on every type, meant for track, page and screen. */
  @ApiPropertyOptional({ ...PROPERTIES, example: { revenue: 9.5, currency: 'EUR' } })
  @IsLooseObject()
  properties?: JsonObject;

  /** Kept on every type, meant for identify and group. */
  @ApiPropertyOptional({ ...PROPERTIES, example: { plan: 'pro', email: 'ada@example.com' } })
  @IsLooseObject()
  traits?: JsonObject;
}

/** Somebody did something. Needs a userId or an anonymousId. */
export class TrackEventDto extends EventDto {
  @ApiProperty({ enum: ['track'] })
  @Equals('track')
  type: 'track';

  @ApiProperty({ minLength: 1, example: 'Order Completed' })
  @IsName()
  @IsIdText(MAX_NAME_BYTES)
  event: string;

  @ApiPropertyOptional({ ...ID, example: 'u-1' })
  @IsUserIdUnlessAnonymous()
  userId?: string;
}

/** What is known about somebody. Needs a userId or an anonymousId. */
export class IdentifyEventDto extends EventDto {
  @ApiProperty({ enum: ['identify'] })
  @Equals('identify')
  type: 'identify';

  @ApiPropertyOptional({ ...ID, example: 'u-1' })
  @IsUserIdUnlessAnonymous()
  userId?: string;
}

/** Somebody looked at a page. Needs a userId or an anonymousId. */
export class PageEventDto extends EventDto {
  @ApiProperty({ enum: ['page'] })
  @Equals('page')
  type: 'page';

  @ApiPropertyOptional({ nullable: true, example: 'Home' })
  @MayBeAbsent()
  @IsName()
  name?: string;

  @ApiPropertyOptional({ nullable: true, example: 'Docs' })
  @MayBeAbsent()
  @IsName()
  category?: string;

  @ApiPropertyOptional({ ...ID, example: 'u-1' })
  @IsUserIdUnlessAnonymous()
  userId?: string;
}

/** Somebody looked at a screen of an app. Needs a userId or an anonymousId. */
export class ScreenEventDto extends EventDto {
  @ApiProperty({ enum: ['screen'] })
  @Equals('screen')
  type: 'screen';

  @ApiPropertyOptional({ nullable: true, example: 'Main' })
  @MayBeAbsent()
  @IsName()
  name?: string;

  @ApiPropertyOptional({ nullable: true, example: 'Docs' })
  @MayBeAbsent()
  @IsName()
  category?: string;

  @ApiPropertyOptional({ ...ID, example: 'u-1' })
  @IsUserIdUnlessAnonymous()
  userId?: string;
}

/** Somebody belongs to a group. The ids are optional. */
export class GroupEventDto extends EventDto {
  @ApiProperty({ enum: ['group'] })
  @Equals('group')
  type: 'group';

  @ApiProperty({ example: 'g-1' })
  @IsRequiredId()
  groupId: string;

  @ApiPropertyOptional({ ...ID, example: 'u-1' })
  @IsPersonId()
  userId?: string;
}

/** previousId and userId are the same person. */
export class AliasEventDto extends EventDto {
  @ApiProperty({ enum: ['alias'] })
  @Equals('alias')
  type: 'alias';

  @ApiProperty({ example: 'u-1' })
  @IsRequiredId()
  userId: string;

  @ApiProperty({ example: 'anon-7f3a' })
  @IsRequiredId()
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
