import type { Dto } from '../api/client';
import type { Filter } from './filters';

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

/** To search events, or what became of them, by their type. */
export const TYPE_FILTER: Filter<'type'> = {
  name: 'type',
  label: 'Type',
  kind: EVENT_TYPES.map((type) => ({ value: type, label: type })),
};
