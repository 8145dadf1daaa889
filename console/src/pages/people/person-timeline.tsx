import { Code, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { useList } from '../../api/use-list';
import { Answered } from '../../shared/answered';
import { type Column, DataTable } from '../../shared/data-table';
import { loadedPages } from '../../shared/list-table';
import { ShowMore } from '../../shared/show-more';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';
import { daysOf } from './days-of';
import { paramsOf, type PersonKey } from './person-key';

const PAGE_ROWS = 50;
const SHOWN_CHARACTERS = 120;

type Event = Dto['ProfileEventDto'];

/** What the person did, the newest first, day by day. */
export function PersonTimeline({ personKey }: { readonly personKey: PersonKey }): ReactNode {
  const { path, query } = paramsOf(personKey);
  const list = useList(['people', personKey, 'events'], async (cursor) => {
    const params = { path, query: { ...query, limit: PAGE_ROWS, cursor } };
    const { events, nextCursor } = await bodyOf(api.GET('/profiles/{userId}', { params }));
    return { rows: events, nextCursor: nextCursor ?? undefined };
  });
  return (
    <Answered query={loadedPages(list)}>
      {({ pages }) => (
        <Stack>
          {daysOf(pages.flatMap(({ rows }) => rows)).map(({ day, happened }) => (
            <div key={day}>
              <Title order={3} size="h5">
                {day}
              </Title>
              <DataTable label={day} columns={COLUMNS} rows={happened} rowKey={({ id }) => id} empty="" />
            </div>
          ))}
          {pages[0]?.rows.length === 0 && <Text>None of the events is stored any more.</Text>}
          <ShowMore list={list} />
        </Stack>
      )}
    </Answered>
  );
}

const COLUMNS: readonly Column<Event>[] = [
  { title: 'When', cell: ({ timestamp }) => <Time at={timestamp} /> },
  { title: 'Event', breaks: true, cell: ({ id, event }) => <To href={`/events/${id}`}>{event}</To> },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'As', breaks: true, cell: ({ userId, anonymousId }) => userId ?? anonymousId },
  { title: 'Said', cell: (event) => <Said event={event} /> },
];

/** The beginning of what the event carried; all of it is behind the link. */
function Said({ event: { traits, properties } }: { readonly event: Event }): ReactNode {
  const text = JSON.stringify(traits ?? properties);
  if (text === '{}') return null;
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return <Code style={{ overflowWrap: 'anywhere' }}>{shown}</Code>;
}
