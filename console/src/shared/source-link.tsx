import type { ReactNode } from 'react';
import { nameOf, useSources } from '../api/all-of';
import { To } from './to';

/** A source by its name, as a link to it. */
export function SourceLink({ id }: { readonly id: string }): ReactNode {
  return <To href={`/sources/${id}`}>{nameOf(useSources().data, id)}</To>;
}
