import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../../api/client';
import { type Column, DataTable } from '../../../shared/data-table';
import { useProblemsIn } from '../../../shared/field-problems';
import { howMany } from '../../../shared/how-many';
import { MissingFields } from '../../../shared/missing-fields';
import { ProblemAlert } from '../../../shared/problem-alert';
import { StatusBadge } from '../../../shared/status-badge';
import { Time } from '../../../shared/time';
import { TwoViews } from '../../../shared/two-views';
import { LABELS } from '../field-labels';
import { MemberGroup } from '../member-group';
import { type Filter, FILTER_LANGUAGE, type FilterDraft, filterOf, missingInFilter } from './filter-draft';
import { FilterFields } from './filter-fields';

interface FilterFieldProps {
  /** Of the destination; what is none yet cannot be tried. */
  readonly id: string | undefined;
  readonly draft: FilterDraft;
  readonly onChange: (draft: FilterDraft) => void;
}

/** Which events a destination gets, to be tried on the newest ones before it is saved. */
export function FilterField({ id, draft, onChange }: FilterFieldProps): ReactNode {
  const wanted = filterOf(draft);
  return (
    <MemberGroup
      label={LABELS.filter}
      description="Which events it gets: all of this must hold. Without any, everything passes."
      path="filter"
    >
      <TwoViews
        name="the filter"
        language={FILTER_LANGUAGE}
        draft={draft}
        onChange={onChange}
        builder={(parts, change) => <FilterFields parts={parts} onChange={change} />}
        jsonLabel="Filter as JSON"
        jsonHint="types, events, conditions (on the event, or computed.<name> of its person), match and segments."
        jsonRows={3}
        noJson="This is no JSON object."
        jsonProblem={useProblemsIn('filter')}
      />
      <MissingFields fields={missingInFilter(draft)} />
      {/* What was tried is another filter, when it is written on. */}
      {id !== undefined && <TryFilter key={JSON.stringify(draft)} id={id} filter={wanted} />}
    </MemberGroup>
  );
}

interface TryFilterProps {
  readonly id: string;
  /** Undefined while it is not complete. */
  readonly filter: Filter | undefined;
}

function TryFilter({ id, filter }: TryFilterProps): ReactNode {
  const preview = useMutation({
    mutationFn: (wanted: Filter) =>
      bodyOf(
        api.POST('/destinations/{id}/filter/preview', { params: { path: { id } }, body: { filter: wanted } }),
      ),
  });
  return (
    <>
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        disabled={filter === undefined}
        loading={preview.isPending}
        onClick={() => filter !== undefined && preview.mutate(filter)}
      >
        Try it on the newest events
      </Button>
      {preview.isError && <ProblemAlert error={preview.error} />}
      {preview.isSuccess && <Previewed preview={preview.data} />}
    </>
  );
}

function Previewed({ preview }: { readonly preview: Dto['FilterPreviewDto'] }): ReactNode {
  const { considered, passed, events } = preview;
  return (
    <>
      <Text aria-live="polite">
        {passed} of the newest {howMany(considered, 'event')} would pass.
      </Text>
      <DataTable
        label="Previewed events"
        columns={COLUMNS}
        rows={events}
        rowKey={({ messageId, timestamp }) => `${messageId} ${timestamp}`}
        empty="There is no event yet."
      />
    </>
  );
}

const COLUMNS: readonly Column<Dto['PreviewedEventDto']>[] = [
  {
    title: 'Passes',
    cell: ({ passes }) => (
      <StatusBadge tone={passes ? 'good' : 'neutral'}>{passes ? 'Passes' : 'Does not'}</StatusBadge>
    ),
  },
  { title: 'Event', breaks: true, cell: ({ event }) => event },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'User id', breaks: true, cell: ({ userId }) => userId },
  { title: 'Happened', cell: ({ timestamp }) => <Time at={timestamp} /> },
];
