import { ApiProperty } from '@nestjs/swagger';
import { type CustomerEvent, EVENT_TYPES, eventName, type EventType } from '../../events/customer-event';

const ID_KINDS = ['userId', 'anonymousId'] as const;

/** An event that said something of a person. */
export class OriginEventDto {
  @ApiProperty({ format: 'uuid' })
  id: string;

  @ApiProperty({ format: 'uuid' })
  sourceId: string;

  @ApiProperty({ enum: EVENT_TYPES })
  type: EventType;

  @ApiProperty({
    example: 'Order Completed',
    description: 'Event name of a track, name of a page or screen, otherwise the type.',
  })
  name: string;

  @ApiProperty({ format: 'date-time', description: 'When it happened.' })
  timestamp: string;

  static from(event: CustomerEvent | undefined): OriginEventDto | null {
    if (event === undefined) return null;
    const { id, sourceId, type, timestamp } = event;
    return { id, sourceId, type, name: eventName(event), timestamp };
  }
}

export class TraitOriginDto {
  @ApiProperty({ example: 'plan' })
  trait: string;

  @ApiProperty({ format: 'date-time', description: 'When the event happened that set it.' })
  setAt: string;

  @ApiProperty({
    type: OriginEventDto,
    nullable: true,
    description: 'The event; null when it is not stored any more.',
  })
  event: OriginEventDto | null;
}

export class IdOriginDto {
  @ApiProperty({ enum: ID_KINDS })
  kind: (typeof ID_KINDS)[number];

  @ApiProperty({ example: 'anon-7f2c' })
  id: string;

  @ApiProperty({
    type: OriginEventDto,
    nullable: true,
    description:
      'The first event that said so: an alias, or one with both ids. Null when it is not stored any more, or was not ' +
      'among the first 10,000 of the person.',
  })
  event: OriginEventDto | null;
}

/** Where what is known of a person comes from. */
export class ProfileOriginsDto {
  @ApiProperty({ type: [TraitOriginDto], description: 'Of each trait the event that set it.' })
  traits: TraitOriginDto[];

  @ApiProperty({
    type: [IdOriginDto],
    description: 'Of each further user id and anonymous id the event that linked it to the person.',
  })
  ids: IdOriginDto[];
}
