import { Type } from 'class-transformer';
import { EVENT_TYPES, type EventType } from '../../events/customer-event';
import {
  OptionalId,
  OptionalInteger,
  OptionalOneOf,
  OptionalText,
} from '../../platform/http/input/optional-members';
import { TAILED_OUTCOMES, type TailedOutcome } from '../tail/tailed-event';

const MAX_SECONDS = 3_600;

/** Which events to watch. All parts must hold. */
export class TailQueryDto {
  @OptionalOneOf(TAILED_OUTCOMES, { description: 'All without it.' })
  outcome?: TailedOutcome;

  @OptionalId()
  sourceId?: string;

  @OptionalOneOf(EVENT_TYPES)
  type?: EventType;

  @OptionalText(1, 1_000, {
    description:
      'Event name of a track, name of a page or screen, otherwise the type; `*` stands for any characters.',
  })
  name?: string;

  @OptionalText(1, 512, { description: 'Events that bear this user id.' })
  userId?: string;

  @OptionalText(1, 512, { description: 'Events that bear this anonymous id.' })
  anonymousId?: string;

  @OptionalId('Events of people who are in this segment when they come in.')
  segmentId?: string;

  @OptionalText(0, 8_000, {
    description:
      'A filter as destinations have it, as JSON: `types`, `events`, `match`, `conditions`, `segments`. See docs/routing.md.',
  })
  filter?: string;

  @Type(() => Number)
  @OptionalInteger(1, MAX_SECONDS, {
    description: 'Ends the stream after so many seconds. Without it, it ends with the token.',
  })
  seconds?: number;
}
