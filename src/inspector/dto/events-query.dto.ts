import { EVENT_TYPES, type EventType } from '../../events/customer-event';
import { RangeEnd, RangeStart } from '../../platform/http/input/instant';
import { OptionalId, OptionalOneOf, OptionalText } from '../../platform/http/input/optional-members';
import { ListQueryDto } from '../../platform/http/resources/page';

/** Which events to list. */
export class EventsQueryDto extends ListQueryDto {
  @OptionalId()
  sourceId?: string;

  @OptionalOneOf(EVENT_TYPES)
  type?: EventType;

  @OptionalText(1, 1_024, { description: 'Event name of a track, name of a page or screen.' })
  name?: string;

  @OptionalText(1, 512, { description: 'Events that bear this user id.' })
  userId?: string;

  @OptionalText(1, 512, {
    description: 'Events that bear this anonymous id, of the visitor or of the user that it belongs to.',
  })
  anonymousId?: string;

  @OptionalText(1, 1_024, {
    description:
      'The event that was the first with this message id, within the window of deduplication (`CDP_DEDUP_WINDOW_DAYS`).',
  })
  messageId?: string;

  @RangeStart('Received at this time or later.')
  from?: string;

  @RangeEnd('Received before this time.')
  to?: string;
}
