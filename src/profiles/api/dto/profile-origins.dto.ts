import { ApiProperty } from '@nestjs/swagger';
import { EventHeadDto } from '../../../events/event-head.dto';
import { ID_KINDS } from './person-query.dto';

export class TraitOriginDto {
  @ApiProperty({ example: 'plan' })
  trait: string;

  @ApiProperty({ format: 'date-time', description: 'When the event happened that set it.' })
  setAt: string;

  @ApiProperty({
    type: EventHeadDto,
    nullable: true,
    description: 'The event; null when it is not stored any more.',
  })
  event: EventHeadDto | null;
}

export class IdOriginDto {
  @ApiProperty({ enum: ID_KINDS })
  kind: (typeof ID_KINDS)[number];

  @ApiProperty({ example: 'anon-7f2c' })
  id: string;

  @ApiProperty({
    type: EventHeadDto,
    nullable: true,
    description:
      'The first event that said so: an alias, or one with both ids. Null when it is not stored any more, or was not ' +
      'among the first 10,000 of the person.',
  })
  event: EventHeadDto | null;
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
