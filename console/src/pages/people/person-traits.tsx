import { Code } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { type Column, DataTable } from '../../shared/data-table';
import { ProblemAlert } from '../../shared/problem-alert';
import { Time } from '../../shared/time';
import { OriginEvent } from './origin-event';

interface PersonTraitsProps {
  readonly traits: Dto['ProfileDto']['traits'];
  readonly origins: UseQueryResult<Dto['ProfileOriginsDto']>;
}

interface Trait {
  readonly name: string;
  readonly value: unknown;
  readonly origin: Dto['TraitOriginDto'] | undefined;
}

/** Each trait with the event that set it. */
export function PersonTraits({ traits, origins }: PersonTraitsProps): ReactNode {
  const byName = new Map(origins.data?.traits.map((origin) => [origin.trait, origin]));
  const rows = Object.entries(traits)
    .map(([name, value]): Trait => ({ name, value, origin: byName.get(name) }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return (
    <>
      {origins.isError && <ProblemAlert error={origins.error} />}
      <DataTable
        label="Traits"
        columns={COLUMNS}
        rows={rows}
        rowKey={({ name }) => name}
        empty="No event said anything of the person."
      />
    </>
  );
}

const COLUMNS: readonly Column<Trait>[] = [
  { title: 'Trait', breaks: true, cell: ({ name }) => name },
  {
    title: 'Value',
    cell: ({ value }) => <Code style={{ overflowWrap: 'anywhere' }}>{JSON.stringify(value)}</Code>,
  },
  { title: 'Since', cell: ({ origin }) => origin !== undefined && <Time at={origin.setAt} /> },
  {
    title: 'Set by',
    cell: ({ origin }) => origin !== undefined && <OriginEvent event={origin.event} />,
  },
];
