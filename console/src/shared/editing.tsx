import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { Loading } from './answered';

interface Versioned {
  readonly version: number;
}

/** Something as a form was filled with it. */
export interface Edited<Thing extends Versioned> {
  /** What is asked for meanwhile does not change it. */
  readonly read: Thing;
  /** With it the service saves nothing over the change of somebody else. */
  readonly ifMatch: { readonly 'If-Match': string };
  /** To be called with what was saved: the form stays, and is of this version. */
  readonly saved: (thing: Thing) => void;
  /** Fills the form with what it is now. @throws ProblemError */
  readonly readAgain: () => Promise<unknown>;
}

interface EditingProps<Thing extends Versioned> {
  readonly refetch: (options: {
    readonly throwOnError: true;
  }) => Promise<{ readonly data?: Thing | undefined }>;
  readonly children: (edited: Edited<Thing>) => ReactNode;
}

/**
 * A form for something that others may change at the same time. It is filled with what is read for it: what the page
 * has may be minutes old.
 */
export function Editing<Thing extends Versioned>({ refetch, children }: EditingProps<Thing>): ReactNode {
  const [read, setRead] = useState<Thing>();
  const [times, setTimes] = useState(0);
  const {
    mutateAsync: readAgain,
    mutate: fill,
    isError,
  } = useMutation({
    mutationFn: () => refetch({ throwOnError: true }),
    onSuccess: ({ data }) => {
      setRead(data);
      setTimes((before) => before + 1);
    },
  });
  useEffect(fill, [fill]);
  // What went wrong the page says, which shows the same.
  if (read === undefined) return isError ? <Button onClick={() => fill()}>Try again</Button> : <Loading />;
  return (
    <Fragment key={times}>
      {children({ read, ifMatch: { 'If-Match': `"${read.version}"` }, saved: setRead, readAgain })}
    </Fragment>
  );
}
