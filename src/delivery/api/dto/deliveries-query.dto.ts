import { RangeEnd, RangeStart } from '../../../platform/http/input/instant';
import { OptionalId, OptionalOneOf, OptionalText } from '../../../platform/http/input/optional-members';
import { ListQueryDto } from '../../../platform/http/resources/page';
import { DELIVERY_STATES, type DeliveryState } from '../../ledger/delivery.entity';
import { OptionalReason } from './optional-reason';

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

  @OptionalText(0, 50, { description: 'Event type, for example `track`.' })
  type?: string;

  @OptionalText(0, 1_000)
  userId?: string;
}

export class DeadLettersQueryDto extends TimeRangeQueryDto {
  @OptionalId()
  destinationId?: string;

  @OptionalReason('The `reason` of the dead letter.')
  reason?: string;
}
