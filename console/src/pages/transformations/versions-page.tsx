import type { ReactNode } from 'react';
import type { Dto } from '../../api/client';
import { VersionsTable } from '../../shared/versions-table';
import { TransformationFrame } from './transformation-frame';
import { useVersions } from './use-transformation';

/** The versions of a transformation, newest first. */
export function VersionsPage(): ReactNode {
  return (
    <TransformationFrame part="versions">
      {(transformation) => <Versions transformation={transformation} />}
    </TransformationFrame>
  );
}

function Versions({ transformation }: { readonly transformation: Dto['TransformationDto'] }): ReactNode {
  const { id, version } = transformation;
  return (
    <VersionsTable versions={useVersions(id)} current={version} href={`/transformations/${id}/versions`} />
  );
}
