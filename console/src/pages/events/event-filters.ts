import { useSources } from '../../api/all-of';
import { TYPE_FILTER } from '../../shared/event-types';
import type { Filter } from '../../shared/filters';

type EventFilter = 'sourceId' | 'type' | 'name' | 'userId' | 'anonymousId' | 'messageId' | 'from' | 'to';

/** What accepted and rejected events are searched by. */
export function useEventFilters(): readonly Filter<EventFilter>[] {
  const sources = useSources().data ?? [];
  return [
    { name: 'sourceId', label: 'Source', kind: sources.map(({ id, name }) => ({ value: id, label: name })) },
    TYPE_FILTER,
    { name: 'name', label: 'Name' },
    { name: 'userId', label: 'User id' },
    { name: 'anonymousId', label: 'Anonymous id' },
    { name: 'messageId', label: 'Message id' },
    { name: 'from', label: 'Received from', kind: 'time' },
    { name: 'to', label: 'Received before', kind: 'time' },
  ];
}
