import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { Answered } from '../../shared/answered';
import type { Column } from '../../shared/data-table';
import { LongTable } from '../../shared/long-table';
import { StatusBadge } from '../../shared/status-badge';
import { Time } from '../../shared/time';
import { To } from '../../shared/to';
import { TransformationFrame } from './transformation-frame';
import { useVersions } from './use-transformation';

type Transformation = Dto['TransformationDto'];

/** The versions of a transformation, newest first. */
export function VersionsPage(): ReactNode {
  return (
    <TransformationFrame part="versions">
      {(transformation) => <Versions transformation={transformation} />}
    </TransformationFrame>
  );
}

function Versions({ transformation }: { readonly transformation: Transformation }): ReactNode {
  return (
    <Answered query={useVersions(transformation.id)}>
      {(versions) => (
        <LongTable
          label="Versions"
          columns={columns(transformation)}
          rows={versions}
          rowKey={({ version }) => String(version)}
          empty="No version is kept."
        />
      )}
    </Answered>
  );
}

function columns({
  id,
  version: current,
}: Transformation): readonly Column<Dto['TransformationVersionSummaryDto']>[] {
  return [
    {
      title: 'Version',
      cell: ({ version }) => <To href={`/transformations/${id}/versions/${version}`}>Version {version}</To>,
    },
    { title: 'Since', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      title: 'State',
      cell: ({ version }) => version === current && <StatusBadge tone="good">In force</StatusBadge>,
    },
  ];
}
