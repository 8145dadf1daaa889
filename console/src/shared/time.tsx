import type { ReactNode } from 'react';

const FORMAT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** A time of the person's own clock; its title is the same in UTC, as the API and the log have it. */
export function Time({ at }: { readonly at: string }): ReactNode {
  const date = new Date(at);
  return (
    <time dateTime={at} title={date.toISOString()}>
      {FORMAT.format(date)}
    </time>
  );
}
