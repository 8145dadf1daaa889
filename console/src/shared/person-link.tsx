import type { ReactNode } from 'react';
import { To } from './to';

/** Ids of a person; the first that is there names it. */
interface PersonLinkProps {
  readonly userId?: string | null;
  readonly anonymousId?: string | null;
}

/** A person by an id, as a link to what is known of it. */
export function PersonLink({ userId, anonymousId }: PersonLinkProps): ReactNode {
  if (userId != null) return <To href={personPath({ userId })}>{userId}</To>;
  if (anonymousId != null) return <To href={personPath({ anonymousId })}>{anonymousId}</To>;
  return null;
}

/** In the query: an id may hold anything, also what means something in a path. */
export function personPath(id: { readonly userId: string } | { readonly anonymousId: string }): string {
  return `/people/person?${new URLSearchParams(id).toString()}`;
}
