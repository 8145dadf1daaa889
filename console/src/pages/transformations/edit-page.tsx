import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import { api, bodyOf } from '../../api/client';
import { AnsweredPage } from '../../shared/answered-page';
import { Editing } from '../../shared/editing';
import { ForWriters } from '../../shared/for-writers';
import { TransformationForm } from './transformation-form';
import { useTransformation } from './use-transformation';

export function EditPage(): ReactNode {
  const { id = '' } = useParams();
  const transformation = useTransformation(id);
  return (
    <AnsweredPage
      query={transformation}
      fallbackTitle="Edit a transformation"
      title={({ name }) => `${name}: edit`}
    >
      {() => (
        <ForWriters>
          <Editing refetch={transformation.refetch}>
            {({ read, ifMatch, readAgain }) => (
              <TransformationForm
                transformation={read}
                action="Save"
                save={(body) =>
                  bodyOf(
                    api.PUT('/transformations/{id}', { params: { path: { id }, header: ifMatch }, body }),
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
