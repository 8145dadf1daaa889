import type { Dto } from '../api/client';

type EventType = Dto['EventHeadDto']['type'];

const ALL: Readonly<Record<EventType, true>> = {
  track: true,
  identify: true,
  page: true,
  screen: true,
  group: true,
  alias: true,
};

/** The types that an event can have. */
export const EVENT_TYPES = Object.keys(ALL) as readonly EventType[];
