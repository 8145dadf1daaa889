import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, type Dto, pageOf } from '../../api/client';
import { useCan } from '../../api/me';
import { Answered } from '../../shared/answered';
import { type Column, DataTable } from '../../shared/data-table';
import { isMostlyRejected } from '../../shared/sources/is-mostly-rejected';
import { isSilent } from '../../shared/sources/is-silent';
import { StatusBadge } from '../../shared/status-badge';
import { To } from '../../shared/to';
import { FirstOnly } from './first-only';

const MAX_ROWS = 100;

type Totals = Dto['SourceTotalsDto'];
interface Row {
  readonly source: Dto['HeardSourceDto'];
  readonly totals: Totals;
}

/** What each source has sent. */
export function SourcesHealth({ totals }: { readonly totals: readonly Totals[] }): ReactNode {
  const mayWrite = useCan('write');
  const sources = useQuery({
    queryKey: ['sources', 'overview'],
    queryFn: () => pageOf(api.GET('/sources', { params: { query: { limit: MAX_ROWS } } })),
  });
  return (
    <Answered query={sources}>
      {({ rows, nextCursor }) => (
        <>
          <DataTable
            label="Sources"
            columns={COLUMNS}
            rows={rows.map((source) => ({ source, totals: totalsOf(source.id, totals) }))}
            rowKey={({ source }) => source.id}
            empty={mayWrite ? <To href="/sources">Create a source to take events in</To> : 'No source yet.'}
          />
          {nextCursor !== undefined && <FirstOnly count={MAX_ROWS} all="/sources" />}
        </>
      )}
    </Answered>
  );
}

function totalsOf(sourceId: string, totals: readonly Totals[]): Totals {
  const nothing = { sourceId, accepted: 0, duplicate: 0, rejected: 0, quarantined: 0 };
  return totals.find((one) => one.sourceId === sourceId) ?? nothing;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Source',
    breaks: true,
    cell: ({ source }) => <To href={`/sources/${source.id}`}>{source.name}</To>,
  },
  { title: 'State', cell: (row) => <SourceState {...row} /> },
  { title: 'Accepted', cell: ({ totals }) => totals.accepted.toLocaleString(), align: 'right' },
  { title: 'Duplicates', cell: ({ totals }) => totals.duplicate.toLocaleString(), align: 'right' },
  { title: 'Rejected', cell: ({ totals }) => totals.rejected.toLocaleString(), align: 'right' },
  { title: 'Quarantined', cell: ({ totals }) => totals.quarantined.toLocaleString(), align: 'right' },
];

function SourceState({ source, totals }: Row): ReactNode {
  if (!source.enabled) return <StatusBadge tone="neutral">Disabled</StatusBadge>;
  if (isSilent(source, Date.now())) return <StatusBadge tone="bad">Silent</StatusBadge>;
  const { accepted, duplicate, quarantined } = totals;
  if (isMostlyRejected(totals)) return <StatusBadge tone="bad">Mostly rejected</StatusBadge>;
  if (quarantined > accepted) return <StatusBadge tone="warning">Mostly quarantined</StatusBadge>;
  if (accepted + duplicate > 0) return <StatusBadge tone="good">Sending</StatusBadge>;
  return <StatusBadge tone="neutral">{source.lastEventAt === null ? 'No event yet' : 'Quiet'}</StatusBadge>;
}
