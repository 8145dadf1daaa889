import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { everyRow } from '../../api/all-of';
import { api, bodyOf, pageOf } from '../../api/client';
import { Answered } from '../../shared/answered';
import type { Column } from '../../shared/data-table';
import { LongTable } from '../../shared/long-table';
import { Section } from '../../shared/section';
import { type Matter, type Standing, whatNeedsAttention } from './what-needs-attention';

const LOOK_EVERY_MS = 10_000;
const FIRST_MATTERS = 10;

/** What somebody on call should look at, each with a link to where it is set right. */
export function Attention(): ReactNode {
  const standing = useQuery({
    queryKey: ['attention'],
    queryFn: readStanding,
    refetchInterval: LOOK_EVERY_MS,
  });
  return (
    <Section title="Needs attention">
      <Answered query={standing}>
        {(known) => (
          <LongTable
            label="Needs attention"
            first={FIRST_MATTERS}
            columns={COLUMNS}
            rows={whatNeedsAttention(known, Date.now())}
            rowKey={({ key }) => key}
            empty="Nothing needs attention."
          />
        )}
      </Answered>
    </Section>
  );
}

const COLUMNS: readonly Column<Matter>[] = [
  { title: 'Where', breaks: true, cell: ({ where }) => where },
  { title: 'What is the matter', breaks: true, cell: ({ what }) => what },
];

async function readStanding(): Promise<Standing> {
  const [stats, destinations, sources, segments, replays] = await Promise.all([
    bodyOf(api.GET('/stats')),
    everyRow((cursor) => pageOf(api.GET('/destinations/stats', { params: { query: { cursor } } }))),
    everyRow((cursor) => pageOf(api.GET('/sources', { params: { query: { limit: 1_000, cursor } } }))),
    everyRow((cursor) => pageOf(api.GET('/segments', { params: { query: { limit: 1_000, cursor } } }))),
    bodyOf(api.GET('/replays')),
  ]);
  return { stats, destinations, sources, segments, replays };
}
