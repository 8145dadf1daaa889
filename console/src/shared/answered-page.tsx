import type { ReactNode } from 'react';
import { Answered, answerOf, type Asked } from './answered';
import { Page } from './page';

interface AnsweredPageProps<Data> {
  readonly query: Asked<Data>;
  /** The title until it is known what the page shows, and where that is not there: `Segment`. */
  readonly fallbackTitle: string;
  readonly title: (data: Data) => string;
  readonly actions?: (data: Data) => ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** A page of what a query answers. It has its title, and the focus, from the beginning. */
export function AnsweredPage<Data>({
  query,
  fallbackTitle,
  title,
  actions,
  children,
}: AnsweredPageProps<Data>): ReactNode {
  const answer = answerOf(query);
  return (
    <Page
      title={answer === undefined ? fallbackTitle : title(answer)}
      actions={answer !== undefined && actions?.(answer)}
    >
      <Answered query={query}>{children}</Answered>
    </Page>
  );
}
