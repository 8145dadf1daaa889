import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api, bodyOf, type Dto } from '../../api/client';
import { ConfirmButton } from '../../shared/confirm-button';
import { howMany } from '../../shared/how-many';
import { saveFile } from '../../shared/save-file';
import { paramsOf, type PersonKey } from './person-key';

interface PersonActionsProps {
  readonly personKey: PersonKey;
  /** Left out of whom only events are held that were not accepted: such a one is suppressed elsewhere. */
  readonly person?: Dto['ProfileDto'];
  readonly onErased: (erasure: Dto['ErasureDto']) => void;
}

/** What a person can ask for: what is known of it, and to be forgotten. */
export function PersonActions({ personKey, person, onErased }: PersonActionsProps): ReactNode {
  const queries = useQueryClient();
  const name = person?.userId ?? personKey.id;
  const { path, query } = paramsOf(personKey);
  const erase = async (suppress: 'true' | 'false'): Promise<void> => {
    const params = { path, query: { ...query, suppress } };
    onErased(await bodyOf(api.DELETE('/profiles/{userId}', { params })));
    queries.removeQueries({ queryKey: ['people'] });
    for (const kind of ['quarantined-events', 'rejected-events'])
      void queries.invalidateQueries({ queryKey: [kind] });
  };
  return (
    <>
      <ConfirmButton
        harmless
        label="Export"
        consequence={`Everything that is held about “${name}” is saved as a file of JSON lines: ids, traits, counts by day, segments, events and deliveries. The audit notes that you asked for it.`}
        action={async () => saveFile(await exportOf(personKey), `${name}.ndjson`)}
      />
      <ConfirmButton
        label="Delete"
        consequence={
          <>
            {whatGoes(name, person)} What comes of “{name}” later makes a new profile.
          </>
        }
        action={() => erase('false')}
      />
      {person !== undefined && (
        <ConfirmButton
          label="Delete and suppress"
          consequence={
            <>
              {whatGoes(name, person)} From then on events with any of these ids are dropped, until somebody
              lifts the suppression.
            </>
          }
          action={() => erase('true')}
        />
      )}
    </>
  );
}

async function exportOf(personKey: PersonKey): Promise<Blob> {
  const params = paramsOf(personKey);
  const lines: unknown = await bodyOf(api.GET('/profiles/{userId}/export', { params, parseAs: 'blob' }));
  if (!(lines instanceof Blob)) throw new Error('The export is no file.');
  return lines;
}

function whatGoes(name: string, person: Dto['ProfileDto'] | undefined): string {
  const parts = person === undefined ? NOT_ACCEPTED : partsOf(person);
  return `All that is held about “${name}” is deleted for good: ${parts.join(', ')}. What destinations and back-ups hold is theirs; destinations with the notice “delete” are told.`;
}

const NOT_ACCEPTED = ['quarantined and rejected events', 'failed requests of webhooks'];

function partsOf({ userId, mergedUserIds, anonymousIds, ...rest }: Dto['ProfileDto']): readonly string[] {
  const ids = (userId === null ? 0 : 1) + mergedUserIds.length + anonymousIds.length;
  return [
    `the profile with ${howMany(ids, 'id')}`,
    howMany(rest.eventCount, 'event'),
    `${howMany(rest.segments.length, 'membership')} of segments`,
    'every delivery with its tries',
  ];
}
