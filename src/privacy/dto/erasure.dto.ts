import { ApiProperty } from '@nestjs/swagger';
import { OptionalFlag } from '../../platform/http/input/optional-members';
import { PersonQueryDto } from '../../profiles/api/dto/person-query.dto';

export class EraseQueryDto extends PersonQueryDto {
  @OptionalFlag('Also refuse all future events about this person. They are answered with 200 and dropped.')
  suppress?: boolean;
}

/** What was deleted. */
export class ErasedDto {
  @ApiProperty({ type: Number })
  events: number;

  @ApiProperty({
    type: Number,
    description:
      'User ids and anonymous ids of the person. The `previousId` of an alias counts as both, for it may be either.',
  })
  identities: number;

  @ApiProperty({ type: Number, description: 'Segments that the person was in.' })
  memberships: number;

  @ApiProperty({ type: Number, description: 'Values of computed traits that were kept.' })
  computedValues: number;

  @ApiProperty({ type: Number, description: 'Deliveries of any state, with all their tries.' })
  deliveries: number;

  @ApiProperty({
    type: Number,
    description:
      'Events that were rejected or are quarantined, and requests of webhooks that named the person.',
  })
  others: number;
}

/** The receipt of a deletion. It does not name the person, so it can be kept. */
export class ErasureDto {
  @ApiProperty({
    type: String,
    format: 'uuid',
    description: 'The `after.receiptId` of the entry in the audit.',
  })
  receiptId: string;

  @ApiProperty({
    type: String,
    description:
      'Stands for the id in the audit: `GET /audit?resource=profile&resourceId=` with it answers who deleted or ' +
      'exported the person. A keyed hash.',
  })
  pseudonym: string;

  @ApiProperty({ type: String, format: 'date-time' })
  deletedAt: string;

  @ApiProperty({ type: Boolean, description: 'Whether future events about this person are refused.' })
  suppressed: boolean;

  @ApiProperty({ type: ErasedDto })
  deleted: ErasedDto;

  @ApiProperty({
    type: Number,
    description: 'Destinations that are told with a `delete` event: those with `delete` in their `notices`.',
  })
  notifiedDestinations: number;
}

/** What was lifted. */
export class LiftedSuppressionDto {
  @ApiProperty({
    type: String,
    description: 'Stands for the id in the audit, as in the receipt of the deletion.',
  })
  pseudonym: string;

  @ApiProperty({
    type: Number,
    description:
      'Ids whose events are taken again: this one and those that were suppressed together with it, and by no other ' +
      'deletion.',
  })
  identities: number;
}
