import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { RangeEnd, RangeStart } from '../../../platform/http/input/instant';
import { Optional } from '../../../platform/http/input/optional';
import { OptionalId, OptionalOneOf } from '../../../platform/http/input/optional-members';
import { ListQueryDto } from '../../../platform/http/resources/page';
import { DELIVERY_STATES, type DeliveryState } from '../../ledger/delivery.entity';

/** A range of times of routing. */
class TimeRangeQueryDto extends ListQueryDto {
  @RangeStart('Routed at this time or later.')
  from?: string;

  @RangeEnd('Routed before this time.')
  to?: string;
}

export class DeliveriesQueryDto extends TimeRangeQueryDto {
  @OptionalOneOf(DELIVERY_STATES)
  state?: DeliveryState;

  @ApiPropertyOptional({ description: 'Event type, for example `track`.' })
  @Optional()
  @IsString()
  @MaxLength(50)
  type?: string;

  @ApiPropertyOptional()
  @Optional()
  @IsString()
  @MaxLength(1_000)
  userId?: string;
}

export class DeadLettersQueryDto extends TimeRangeQueryDto {
  @OptionalId()
  destinationId?: string;

  @ApiPropertyOptional({ example: 'http_5xx', description: 'The `reason` of the dead letter.' })
  @Optional()
  @IsString()
  @MaxLength(100)
  reason?: string;
}
