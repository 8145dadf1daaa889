import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { api, bodyOf } from '../../api/client';
import { AnsweredPage } from '../../shared/answered-page';
import { Editing } from '../../shared/editing';
import { ForWriters } from '../../shared/for-writers';
import { ComputedTraitForm } from './computed-trait-form';
import { useComputedTrait } from './use-computed-trait';
import { WhoAsks } from './who-asks';

export function EditPage(): ReactNode {
  const { id = '' } = useParams();
  const trait = useComputedTrait(id);
  return (
    <AnsweredPage query={trait} fallbackTitle="Edit a computed trait" title={({ name }) => `${name}: edit`}>
      {(current) => (
        <ForWriters>
          <WhoAsks name={current.name} />
          <Editing refetch={trait.refetch}>
            {({ read, ifMatch, readAgain }) => (
              <ComputedTraitForm
                trait={read}
                action="Save"
                save={(body) =>
                  bodyOf(
                    api.PUT('/computed-traits/{id}', { params: { path: { id }, header: ifMatch }, body }),
                  )
                }
                readAgain={readAgain}
              />
            )}
          </Editing>
        </ForWriters>
      )}
    </AnsweredPage>
  );
}
