import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api, bodyOf, type Dto } from '../../api/client';
import { ConfirmButton } from '../../shared/confirm-button';
import type { Edited } from '../../shared/editing';

interface RestoreVersionProps {
  readonly edited: Edited<Dto['TransformationDto']>;
  readonly version: Dto['TransformationVersionDto'];
}

/** Makes a new version that says what an old one said. */
export function RestoreVersion({ edited, version }: RestoreVersionProps): ReactNode {
  const { read, ifMatch, readAgain } = edited;
  const { name, description, code } = version;
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const params = { path: { id: read.id }, header: ifMatch };
  return (
    <ConfirmButton
      harmless
      label="Restore this version"
      consequence={`Version ${read.version + 1} of “${read.name}” is made with the name, the description and the code of version ${version.version}. It holds from the next try on.`}
      action={() => bodyOf(api.PUT('/transformations/{id}', { params, body: { name, description, code } }))}
      onDone={() => {
        void queries.invalidateQueries({ queryKey: ['transformations'] });
        goTo(`/transformations/${read.id}`);
      }}
      readAgain={readAgain}
    />
  );
}
