import type { ReactNode } from 'react';
import { useParams } from 'wouter';
import type { Dto } from '../../api/client';
import { AnsweredPage } from '../../shared/answered-page';
import { ViewsNavigation } from '../../shared/views-navigation';
import { useTransformation } from './use-transformation';

interface TransformationFrameProps {
  /** What of the transformation the page shows, for its title: `versions`. */
  readonly part?: string;
  readonly actions?: (transformation: Dto['TransformationDto']) => ReactNode;
  readonly children: (transformation: Dto['TransformationDto']) => ReactNode;
}

/** What is around each page of one transformation. */
export function TransformationFrame({ part, actions, children }: TransformationFrameProps): ReactNode {
  const { id = '' } = useParams();
  const views = { [`/transformations/${id}`]: 'Overview', [`/transformations/${id}/versions`]: 'Versions' };
  return (
    <AnsweredPage
      query={useTransformation(id)}
      fallbackTitle="Transformation"
      title={({ name }) => (part === undefined ? name : `${name}: ${part}`)}
      actions={actions}
    >
      {(transformation) => (
        <>
          <ViewsNavigation label="Transformation" views={views} />
          {children(transformation)}
        </>
      )}
    </AnsweredPage>
  );
}
