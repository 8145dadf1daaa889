import { ApiProperty } from '@nestjs/swagger';
import { DESTINATION_WAITS_FOR, type DestinationWaitsFor } from '../../stats/waits';
import { OptionalReason } from './optional-reason';

/** Which of the deliveries that wait for their next try. */
export class RetryDeliveriesDto {
  @OptionalReason('Only those whose last try failed for this reason (`errorClass`).')
  reason?: string;
}

/** What has become due. */
export class RetriedDeliveriesDto {
  @ApiProperty({ type: 'integer', description: 'Deliveries that waited for their next try and are due now.' })
  deliveries: number;

  @ApiProperty({
    enum: DESTINATION_WAITS_FOR,
    nullable: true,
    example: 'destination_down',
    description:
      'What all of them wait for still, such as a destination that is paused: they are sent once it is resumed. Null ' +
      'when they are sent.',
  })
  waitsFor: DestinationWaitsFor | null;
}
