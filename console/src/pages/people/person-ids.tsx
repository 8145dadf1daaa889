import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { type Column, DataTable } from '../../shared/data-table';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';
import { OriginEvent } from './origin-event';

interface PersonIdsProps {
  readonly person: Dto['ProfileDto'];
  readonly origins: UseQueryResult<Dto['ProfileOriginsDto']>;
}

interface Id {
  readonly kind: 'userId' | 'anonymousId';
  readonly id: string;
  /** How it became an id of the person; undefined while that is not known. */
  readonly linked: ReactNode;
  readonly at: string | undefined;
}

/** All ids of a person, and the event that linked each. */
export function PersonIds({ person, origins }: PersonIdsProps): ReactNode {
  return (
    <DataTable
      label="Ids"
      columns={COLUMNS}
      rows={rowsOf(person, origins.data?.ids ?? [])}
      rowKey={({ kind, id }) => `${kind} ${id}`}
      empty=""
    />
  );
}

function rowsOf(person: Dto['ProfileDto'], origins: readonly Dto['IdOriginDto'][]): readonly Id[] {
  const { userId, mergedUserIds, anonymousIds } = person;
  const rowOf = (kind: Id['kind'], id: string): Id => {
    const origin = origins.find((one) => one.kind === kind && one.id === id);
    const linked = origin !== undefined && <OriginEvent event={origin.event} />;
    return { kind, id, linked, at: origin?.event?.timestamp };
  };
  const own: Id[] =
    userId === null ? [] : [{ kind: 'userId', id: userId, linked: 'the id of the profile', at: undefined }];
  return [
    ...own,
    ...mergedUserIds.map((id) => rowOf('userId', id)),
    ...anonymousIds.map((id) => rowOf('anonymousId', id)),
  ];
}

const KINDS = { userId: 'User id', anonymousId: 'Anonymous id' };

const COLUMNS: readonly Column<Id>[] = [
  { title: 'Kind', cell: ({ kind }) => KINDS[kind] },
  { title: 'Id', breaks: true, cell: ({ id }) => id },
  { title: 'Linked by', cell: ({ linked }) => linked },
  { title: 'When', cell: ({ at }) => at !== undefined && <Time at={at} /> },
  { title: 'Events', cell: ({ kind, id }) => <To href={eventsPath(kind, id)}>Events with it</To> },
];

function eventsPath(kind: Id['kind'], id: string): string {
  return `/events?${new URLSearchParams({ [kind]: id }).toString()}`;
}
