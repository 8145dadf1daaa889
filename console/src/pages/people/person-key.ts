import { useSearchParams } from 'wouter';

/** What a person is named by. */
export interface PersonKey {
  readonly id: string;
  readonly by: 'userId' | 'anonymousId';
}

/** Whom the address names. */
export function usePersonKey(): PersonKey {
  const [search] = useSearchParams();
  const userId = search.get('userId');
  return userId === null
    ? { id: search.get('anonymousId') ?? '', by: 'anonymousId' }
    : { id: userId, by: 'userId' };
}

/** The parameters of operations on a person. */
export function paramsOf({ id, by }: PersonKey): {
  readonly path: { readonly userId: string };
  readonly query: { readonly by: PersonKey['by'] };
} {
  return { path: { userId: id }, query: { by } };
}
