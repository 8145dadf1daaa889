import { Fragment, type ReactNode, useState } from 'react';

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
  /** Fills the form with what it is now. */
  readonly readAgain: () => Promise<void>;
}

interface EditingProps<Thing extends Versioned> {
  readonly current: Thing;
  readonly refetch: () => Promise<{ readonly data?: Thing | undefined }>;
  readonly children: (edited: Edited<Thing>) => ReactNode;
}

/** A form for something that others may change at the same time. */
export function Editing<Thing extends Versioned>({
  current,
  refetch,
  children,
}: EditingProps<Thing>): ReactNode {
  const [read, setRead] = useState(current);
  const [times, setTimes] = useState(1);
  const readAgain = async (): Promise<void> => {
    const { data } = await refetch();
    if (data === undefined) return;
    setRead(data);
    setTimes(times + 1);
  };
  return (
    <Fragment key={times}>
      {children({ read, ifMatch: { 'If-Match': `"${read.version}"` }, saved: setRead, readAgain })}
    </Fragment>
  );
}
