import { EVENT_TYPES, type EventType } from '../../../events/customer-event';
import { RangeEnd, RangeStart } from '../../../platform/http/input/instant';
import { OptionalOneOf, OptionalText } from '../../../platform/http/input/optional-members';
import { OpaqueCursor, PageLimit } from '../../../platform/http/resources/page';
import { PersonQueryDto } from './person-query.dto';

export const DEFAULT_EVENTS = 100;
const MAX_EVENTS = 1_000;

/** Which events of a profile to answer. */
export class ProfileQueryDto extends PersonQueryDto {
  @PageLimit(MAX_EVENTS, { default: DEFAULT_EVENTS })
  limit?: number;

  @OpaqueCursor('`nextCursor` of the page before.')
  cursor?: string;

  @RangeStart('Events at or after this time.')
  from?: string;

  @RangeEnd('Events before this time.')
  to?: string;

  @OptionalOneOf(EVENT_TYPES)
  type?: EventType;

  @OptionalText(0, 1_024, { description: 'Name of the event, as `event` in the answer.' })
  event?: string;
}
