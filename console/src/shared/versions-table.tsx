import type { ReactNode } from 'react';
import type { Dto } from '../api/client';
import { Answered, type Asked } from './answered';
import type { Column } from './data-table';
import { LongTable } from './long-table';
import { StatusBadge } from './status-badge';
import { Time } from './time';
import { To } from './to';

type Version = Dto['TrackingPlanVersionSummaryDto'] | Dto['TransformationVersionSummaryDto'];

interface VersionsTableProps {
  readonly versions: Asked<readonly Version[]>;
  /** The version in force. */
  readonly current: number;
  /** Of the list; that of a version is below it. */
  readonly href: string;
}

/** The versions of a resource, newest first. */
export function VersionsTable({ versions, current, href }: VersionsTableProps): ReactNode {
  return (
    <Answered query={versions}>
      {(rows) => (
        <LongTable
          label="Versions"
          columns={columns(current, href)}
          rows={rows}
          rowKey={({ version }) => String(version)}
          empty="No version is kept."
        />
      )}
    </Answered>
  );
}

function columns(current: number, href: string): readonly Column<Version>[] {
  return [
    {
      title: 'Version',
      cell: ({ version }) => <To href={`${href}/${version}`}>Version {version}</To>,
    },
    { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'State',
      cell: ({ version }) => version === current && <StatusBadge tone="good">In force</StatusBadge>,
    },
  ];
}
