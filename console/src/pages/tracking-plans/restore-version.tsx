import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { api, bodyOf, type Dto } from '../../api/client';
import { ConfirmButton } from '../../shared/confirm-button';
import type { Edited } from '../../shared/editing';
import { contentOf } from './plan-content';

interface RestoreVersionProps {
  readonly edited: Edited<Dto['TrackingPlanDto']>;
  readonly version: Dto['TrackingPlanVersionDto'];
}

/** Makes a new version that says what an old one said. */
export function RestoreVersion({ edited, version }: RestoreVersionProps): ReactNode {
  const { read, ifMatch, readAgain } = edited;
  const { name, description } = version;
  const queries = useQueryClient();
  const [, goTo] = useLocation();
  const params = { path: { id: read.id }, header: ifMatch };
  const body = { name, description, ...contentOf(version) };
  return (
    <ConfirmButton
      harmless
      label="Restore this version"
      consequence={`Version ${read.version + 1} of “${read.name}” is made with the name, the description and the rules of version ${version.version}. The events of its sources are checked by it from then on.`}
      action={() => bodyOf(api.PUT('/tracking-plans/{id}', { params, body }))}
      onDone={() => {
        void queries.invalidateQueries({ queryKey: ['tracking-plans'] });
        goTo(`/tracking-plans/${read.id}`);
      }}
      readAgain={readAgain}
    />
  );
}
